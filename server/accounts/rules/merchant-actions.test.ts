import { describe, expect, test } from "vitest";
import { authorize } from "./authorize.ts";
import { type MerchantAction, type MerchantRole, merchantActions, riskyActions } from "./merchant-actions.ts";

const roles = ["owner", "admin", "developer", "viewer"] as const;

/** The allowed roles: `o` owner, `a` admin, `d` developer, `v` viewer. */
const matrix: Readonly<Record<MerchantAction, string>> = {
  "merchant.read": "oadv",
  "payment.list": "oadv",
  "payment.read": "oadv",
  "dispute.list": "oadv",
  "billing.read": "oadv",
  "billing.change": "oa",
  "billing.set_card": "oa",
  "payment.capture": "oa",
  "payment.void": "oa",
  "payment.refund": "oa",
  "webhook.list": "oadv",
  "webhook.read": "oadv",
  "webhook.create": "oad",
  "webhook.update": "oad",
  "webhook.switch": "oad",
  "webhook.delete": "oad",
  "webhook.rotate": "oad",
  "delivery.list": "oadv",
  "delivery.read": "oadv",
  "delivery.replay": "oad",
  "delivery.test": "oad",
  "client.list": "oadv",
  "client.read": "oadv",
  "client.register": "oad",
  "client.update": "oad",
  "client.add_key": "oad",
  "client.remove_key": "oad",
  "client.delete": "oad",
  "processor.read": "oadv",
  "processor.check": "oa",
  "processor.connect": "oa",
  "log.list": "oadv",
  "log.read": "oadv",
  "directory.read": "oadv",
  "directory.change": "oad",
  "directory.transfer": "oa",
  "directory.end_transfer": "oa",
  "audit.list": "oa",
  "payee_mandate.list": "oadv",
  "payee_mandate.read": "oadv",
  "settings.read": "oadv",
  "settings.change": "oa",
  "team.list": "oadv",
  "team.invite": "oa",
  "team.resend": "oa",
  "team.cancel": "oa",
  "team.change_role": "oa",
  "team.remove": "oa",
  "team.leave": "oadv",
  "team.transfer": "o",
  "initial_token.list": "oadv",
  "initial_token.create": "oad",
  "initial_token.revoke": "oad",
  "software_statement.list": "oadv",
  "software_statement.issue": "oad",
  "software_statement.revoke": "oad",
};

const actions = Object.keys(merchantActions) as MerchantAction[];
const member = (hasRecentProof: boolean, isOperator = false) => {
  const operatorRole = isOperator ? "admin" : null;
  return { kind: "account", id: "acc_1", operatorRole, hasRecentProof, hasSecondFactor: true } as const;
};
const at = (role: MerchantRole | null) => ({ kind: "merchant", role }) as const;

describe("roles × actions (docs/spec/portal.md, Access control)", () => {
  test("the table lists every action", () => expect(Object.keys(matrix).toSorted()).toEqual(actions.toSorted()));

  test.each(actions.flatMap((action) => roles.map((role) => [action, role] as const)))("%s by %s", (action, role) => {
    const isAllowed = matrix[action].includes(role.slice(0, 1));
    expect(authorize(member(true), action, at(role))).toBe(isAllowed ? "allow" : "forbidden");
    const withoutProof = riskyActions.includes(action) ? "authenticate_again" : "allow";
    expect(authorize(member(false), action, at(role))).toBe(isAllowed ? withoutProof : "forbidden");
  });

  test.each(actions)(
    "%s: a visitor must sign in; non-members, operators included, get the answer for an unknown merchant",
    (action) => {
      expect(authorize({ kind: "visitor" }, action, at("owner"))).toBe("sign_in");
      expect(authorize(member(true), action, at(null))).toBe("not_found");
      expect(authorize(member(true, true), action, at(null))).toBe("not_found");
      expect(authorize(member(true), action, { kind: "owned", ownerId: "acc_1" })).toBe("not_found");
      expect(authorize(member(true), action, { kind: "none" })).toBe("not_found");
    },
  );

  test("actions that show a secret, change where events are sent, or add a payment method need a recent authentication (docs/spec/portal.md, Recent authentication)", () => {
    expect(riskyActions).toEqual([
      "billing.set_card",
      "webhook.create",
      "webhook.update",
      "webhook.rotate",
      "client.register",
      "client.update",
      "client.add_key",
      "client.remove_key",
      "client.delete",
      "initial_token.create",
      "software_statement.issue",
      "team.invite",
      "team.change_role",
      "team.remove",
      "team.transfer",
      "directory.transfer",
      "processor.connect",
    ]);
  });
});
