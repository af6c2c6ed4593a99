import { describe, expect, test } from "vitest";
import { auditActionsOf, visibleData } from "./audit-actions.ts";

describe("what members read of an audit entry (docs/spec/portal.md, Audit log of a merchant)", () => {
  test.each([
    ["merchant.suspended", "operator", false],
    ["client.deleted", "operator", false],
    ["merchant.declined", "operator", true],
    ["merchant.logo_removed", "operator", true],
    ["merchant.category_changed", "operator", false],
    ["webhook_endpoint.turned_off", "system", true],
    ["refund.created", "merchant", true],
  ])("members can read the reason of %s by %s: %s", (action, actorKind, isVisible) => {
    const data = { reason: "because", merchant_id: "mch_1", owner_id: "mch_1", role: "viewer" };
    const expected = { role: "viewer", ...(isVisible ? { reason: "because" } : {}) };
    expect(visibleData({ action, actorKind, data })).toEqual(expected);
  });

  test("no two topics share an action, and no topic has an action of a payer or client", () => {
    const actions = auditActionsOf(null);
    expect(new Set(actions).size).toBe(actions.length);
    expect(actions.filter((action) => /^(token|mandate|charge\.(succeeded|declined|refused))/.test(action))).toEqual(
      [],
    );
  });
});
