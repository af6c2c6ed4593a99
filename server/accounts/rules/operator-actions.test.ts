import { describe, expect, test } from "vitest";
import { authorize } from "./authorize.ts";
import {
  actionsBeforeSecondFactor,
  type OperatorAction,
  type OperatorRole,
  operatorActions,
  operatorRoles,
  riskyOperatorActions,
} from "./operator-actions.ts";

/** The allowed roles: `a` admin, `s` support, `v` viewer. */
const matrix: Readonly<Record<OperatorAction, string>> = {
  "audit.read": "asv",
  "attention.read": "asv",
  "recorded_charge.list": "asv",
  "recorded_charge.read": "asv",
  "reported_dispute.list": "asv",
  "payer.list": "asv",
  "payer.read": "asv",
  "payer.sign_out": "as",
  "directory_entry.list": "asv",
  "directory_entry.read": "asv",
  "directory_entry.suspend": "as",
  "directory_entry.resume": "as",
  "directory_entry.list_server": "a",
  "directory_entry.withdraw_server": "a",
  "oauth_client.list": "asv",
  "oauth_client.read": "asv",
  "oauth_client.delete": "a",
  "service_figures.read": "asv",
  "charge_under_review.list": "asv",
  "charge_under_review.search": "as",
  "charge_under_review.settle": "a",
  "contradiction.list": "asv",
  "contradiction.close": "a",
  "mail.list": "a",
  "mail.read": "a",
  "mail.retry": "a",
  "mail_sample.read": "asv",
  "postmortem.write": "as",
  "reconciliation.list": "asv",
  "reconciliation.repeat": "as",
  "job.list": "asv",
  "job.retry": "as",
  "signing_key.list": "asv",
  "signing_key.rotate": "a",
  "signing_key.revoke": "a",
  "blocked_key.list": "asv",
  "blocked_key.check": "a",
  "blocked_key.add": "a",
  "blocked_key.remove": "a",
  "agent_token.list": "asv",
  "agent_token.create": "a",
  "agent_token.revoke": "a",
  "registered_merchant.list": "asv",
  "registered_merchant.read": "asv",
  "registered_merchant.suspend": "as",
  "registered_merchant.review": "a",
  "registered_merchant.invite": "a",
  "registered_merchant.resume": "as",
  "registered_merchant.categorize": "a",
  "registered_merchant.remove_logo": "as",
  "registered_merchant.forget_account": "a",
  "granted_mandate.list": "asv",
  "granted_mandate.read": "asv",
  "granted_mandate.suspend": "as",
  "granted_mandate.resume": "as",
  "granted_mandate.revoke": "a",
  "merchant_token.list": "asv",
  "merchant_token.revoke": "a",
  "error_budget.read": "asv",
  "incident.list": "asv",
  "incident.read": "asv",
  "incident.open": "as",
  "incident.publish": "as",
  "maintenance.list": "asv",
  "maintenance.read": "asv",
  "maintenance.schedule": "as",
  "maintenance.publish": "as",
  "sandbox_clock.advance": "a",
  "second_factor.read": "asv",
  "second_factor.set_up": "asv",
  "second_factor.enter": "asv",
  "setting.list": "asv",
  "catalogue_plan.list": "asv",
  "catalogue_plan.read": "asv",
  "billing_invoice.list": "asv",
  "billing_invoice.read": "asv",
  "billing_invoice.preview_credit": "a",
  "billing_invoice.credit": "a",
  "billing_invoice.void": "a",
  "billing_invoice.write_off": "a",
  "billing_invoice.decide_tax": "a",
  "dunning_case.list": "asv",
  "billing_payment.search": "as",
  "billing_payment.settle": "a",
  "billing_revenue.read": "asv",
  "merchant_billing.read": "asv",
  "merchant_billing.grant_credit": "a",
  "merchant_billing.add_sla_credit": "a",
  "merchant_billing.change_coupon": "a",
  "merchant_billing.assign_plan": "a",
  "operator.list": "asv",
  "operator.invite": "a",
  "operator.change_role": "a",
  "operator.remove": "a",
};

const actions = Object.keys(operatorActions) as OperatorAction[];
const account = { kind: "account", id: "acc_1", hasRecentProof: true, hasSecondFactor: true } as const;
const operator = (
  operatorRole: OperatorRole | null,
  more: { hasRecentProof?: boolean; hasSecondFactor?: boolean } = {},
) => ({ ...account, operatorRole, ...more }) as const;

describe("operators' roles × actions (docs/spec/portal.md, Access control)", () => {
  test("the table lists every action", () => expect(Object.keys(matrix).toSorted()).toEqual(actions.toSorted()));

  test.each(actions.flatMap((action) => operatorRoles.map((role) => [action, role] as const)))(
    "%s by %s",
    (action, role) => {
      const isAllowed = matrix[action].includes(role.slice(0, 1));
      const isRisky = riskyOperatorActions.includes(action);
      for (const kind of ["none", "any"] as const) {
        expect(authorize(operator(role), action, { kind })).toBe(isAllowed ? "allow" : "forbidden");
        const old = authorize(operator(role, { hasRecentProof: false }), action, { kind });
        expect(old).toBe(isAllowed ? (isRisky ? "authenticate_again" : "allow") : "forbidden");
        const without = authorize(operator(role, { hasSecondFactor: false }), action, { kind });
        expect(without).toBe(actionsBeforeSecondFactor.includes(action) ? "allow" : "second_factor");
      }
    },
  );

  test.each(actions)(
    "%s: a visitor must sign in; accounts that aren't operators get the answer for an unknown object",
    (action) => {
      expect(authorize({ kind: "visitor" }, action, { kind: "any" })).toBe("sign_in");
      expect(authorize(operator(null), action, { kind: "any" })).toBe("not_found");
      expect(authorize(operator(null), action, { kind: "none" })).toBe("forbidden");
      // The answer doesn't depend on the second factor either.
      expect(authorize(operator(null, { hasSecondFactor: false }), action, { kind: "any" })).toBe("not_found");
    },
  );

  test("a viewer can change nothing, and some actions on keys, tokens and operators are denied to support", () => {
    // Viewers can't read mail, because it may contain codes and links of sign-ups and resets.
    const reads = /^(?!mail\.).*\.(list|read)$/;
    for (const action of actions.filter((each) => !actionsBeforeSecondFactor.includes(each)))
      expect([action, matrix[action].includes("v")]).toEqual([action, reads.test(action)]);
    const forAdmins = actions.filter((action) => matrix[action] === "a").map((action) => action.split(".")[0]);
    for (const noun of ["signing_key", "agent_token", "merchant_token", "operator"]) expect(forAdmins).toContain(noun);
  });
});
