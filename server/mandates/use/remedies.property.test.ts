import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decision } from "../../data/mandates/mandate-decision.ts";
import { paymentMandateSchema } from "../details/payment-mandate.wire.ts";
import { toTerms } from "../details/to-terms.ts";
import { type Counters, noUse } from "../rules/terms.ts";
import { parseInstant, windowProblem } from "../rules/validity.ts";
import { decideUse, type Reason } from "./decide-use.ts";

const at = new Date("2026-11-21T10:00:00Z");
const hours = (count: number) => new Date(at.getTime() + count * 3_600_000);
const merchant = {
  id: "mch_1",
  mcc: "5411",
  processor: "simulator",
  processorAccount: "acct",
  standing: "active",
} as const;

const decisionOf = (details: object, lifetime: Counters = noUse, usedInPeriods: Counters = noUse): Decision => {
  const terms = toTerms(paymentMandateSchema.parse(details), at);
  return {
    mandateId: "mdt_1",
    state: "active",
    version: 1,
    clientId: "cl_1",
    payerId: "acc_1",
    budgetVisible: false,
    terms,
    lifetime,
    merchant,
    paymentMethodRef: "pm_1",
    status: null,
    periods: terms.periodicLimits.map(({ period, alignment }) => ({
      limitKey: `${period}:${alignment}`,
      startsAt: new Date("2026-11-01T00:00:00Z"),
      ...usedInPeriods,
    })),
  };
};

const cap = fc.option(fc.integer({ min: 1, max: 99_999_999_999 }), { nil: undefined });
const payment = fc.record({
  amountMinor: fc.bigInt({ min: 1n, max: 99_999_999_999n }),
  currency: fc.constantFrom("EUR", "JPY", "KWD"),
  payerPresence: fc.constantFrom("in_session", "off_session"),
});
const mandate = fc.record({
  caps: fc.record({ max_amount_per_payment: cap, max_total_amount: cap, max_payments: cap, step_up_above: cap }),
  month: fc.record({ max_amount: fc.integer({ min: 1, max: 99_999_999_999 }), max_payments: cap }),
  used: fc.record({
    usedAmount: fc.bigInt({ min: 0n, max: 99_999_999_999n }),
    usedCount: fc.bigInt({ min: 0n, max: 20n }),
  }),
});

const detailsOf = ({ caps, month }: { caps: object; month: object }, currency: string) => ({
  type: "payment_mandate_v1",
  actions: ["verify", "charge"],
  currency,
  payees: [{ id: merchant.id }],
  ...caps,
  periodic_limits: [{ period: "month", alignment: "calendar", ...month }],
  payer_presence: ["in_session", "off_session"],
});
const limitCodes = [
  "amount_exceeds_per_payment",
  "period_limit_exceeded",
  "total_limit_exceeded",
  "count_limit_exceeded",
];

type Payment = { amountMinor: bigint; currency: string; payerPresence: string };
const reasonsOf = (decision: Decision, payment: Payment, when = at): Reason[] =>
  decideUse(decision, { action: "charge", ...payment }, when).reasons;
const codesOf = (decision: Decision, payment: Payment, when = at) =>
  reasonsOf(decision, payment, when).map(({ code }) => code);

/** The remedies of refused payments, for any grant and use. */
const eachRemedy = (check: (payment: Payment, details: object, reason: Reason) => void) =>
  fc.assert(
    fc.property(mandate, payment, (granted, payment) => {
      const used = { ...noUse, ...granted.used };
      for (const reason of reasonsOf(decisionOf(detailsOf(granted, payment.currency), used, used), payment)) {
        const details = reason.remedy?.authorization_details ?? [];
        expect(details).toHaveLength(limitCodes.includes(reason.code) ? 1 : 0);
        for (const item of details) check(payment, item, reason);
      }
    }),
  );

describe("an item of remedy.authorization_details, which the client can push unchanged (docs/spec/payments.md, Verify a mandate)", () => {
  test("is a payment_mandate_v1 that PAR accepts, and the granted mandate allows this payment", () => {
    eachRemedy((payment, details) => {
      const parsed = paymentMandateSchema.parse(details);
      const until = parseInstant(parsed.valid_until ?? "");
      expect(until).toEqual(hours(24));
      expect(windowProblem({ from: null, until }, "UTC", hours(23))).toBeNull();
      expect(codesOf(decisionOf(details), payment)).toEqual([]);
    });
  });

  test("allows this payment only: no larger one, no second one, no other merchant, not after 24 hours", () => {
    eachRemedy((payment, details) => {
      const fresh = decisionOf(details);
      expect(codesOf(fresh, { ...payment, amountMinor: payment.amountMinor + 1n })).toEqual([
        "amount_exceeds_per_payment",
        "total_limit_exceeded",
      ]);
      const paid = { ...noUse, usedAmount: 1n, usedCount: 1n };
      expect(codesOf(decisionOf(details, paid), { ...payment, amountMinor: 1n })).toContain("count_limit_exceeded");
      expect(codesOf({ ...fresh, merchant: { ...merchant, id: "mch_2" } }, payment)).toEqual(["payee_not_allowed"]);
      expect(codesOf(fresh, payment, hours(24))).toEqual(["mandate_expired"]);
      expect(codesOf(fresh, payment, new Date(hours(24).getTime() - 1))).toEqual([]);
    });
  });

  test("reveals no other limit: it is the same for any mandate", () => {
    eachRemedy((payment, details) => {
      const tiny = decisionOf(
        detailsOf({ caps: {}, month: { max_payments: 1, max_amount: 1 } }, payment.currency),
        noUse,
        {
          ...noUse,
          usedCount: 1n,
        },
      );
      expect(reasonsOf(tiny, payment).map(({ remedy }) => remedy?.authorization_details)).toContainEqual([details]);
    });
  });
});

describe("unknown values fail closed (docs/spec/payments.md, Reason codes)", () => {
  const known = detailsOf({ caps: { max_total_amount: 1_000 }, month: { max_amount: 1_000 } }, "EUR");
  const payment: Payment = { amountMinor: 1n, currency: "EUR", payerPresence: "in_session" };
  const standing = decisionOf(known);
  test.each<[string, Decision, Payment, string]>([
    ["an unknown presence", standing, { ...payment, payerPresence: "by_telepathy" }, "presence_not_allowed"],
    ["an unknown currency", standing, { ...payment, currency: "EUX" }, "currency_mismatch"],
    ["no action", { ...standing, terms: { ...standing.terms, actions: [] } }, payment, "action_not_allowed"],
    ["no presence", { ...standing, terms: { ...standing.terms, payerPresence: [] } }, payment, "presence_not_allowed"],
    ["no payment method", { ...standing, paymentMethodRef: null }, payment, "mandate_suspended"],
    [
      "a merchant without a category, if categories are named",
      {
        ...standing,
        terms: { ...standing.terms, payeeMerchantIds: [], payeeCategories: ["5411"] },
        merchant: { ...merchant, mcc: "" },
      },
      payment,
      "category_not_allowed",
    ],
  ])("%s", (_, decision, intent, code) => expect(codesOf(decision, intent)).toEqual([code]));
});
