import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide, isConsumed, leftUnder, type MandateInUse, type PaymentIntent, type ReasonCode } from "./limits.ts";
import { type MandateTerms, noUse } from "./terms.ts";

const at = new Date("2026-11-21T10:00:00Z");
const terms: MandateTerms = {
  actions: ["verify", "charge"],
  currency: "EUR",
  maxAmountPerPayment: 500n,
  maxTotalAmount: 1_000n,
  maxPayments: 3n,
  periodicLimits: [{ period: "month", alignment: "calendar", maxAmount: 800n, maxPayments: 2n }],
  timeZone: "UTC",
  payeeMerchantIds: ["mch_1"],
  payeeCategories: [],
  validFrom: new Date("2026-11-01T00:00:00Z"),
  validUntil: new Date("2027-11-01T00:00:00Z"),
  payerPresence: ["in_session"],
  stepUpAbove: 400n,
  refundPolicy: "consume",
};
const mandate: MandateInUse = { state: "active", terms, lifetime: noUse, periods: [], hasPaymentMethod: true };
const intent: PaymentIntent = {
  action: "charge",
  amountMinor: 100n,
  currency: "EUR",
  payerPresence: "in_session",
  merchantId: "mch_1",
  merchantCategory: "5411",
};
const month = { limitKey: "month:calendar", startsAt: new Date("2026-11-01T00:00:00Z") };

const codes = (
  change: Partial<Omit<MandateInUse, "terms">> & { terms?: Partial<MandateTerms> },
  changed: Partial<PaymentIntent> = {},
  when = at,
) =>
  decide({ ...mandate, ...change, terms: { ...terms, ...change.terms } }, { ...intent, ...changed }, when).refusals.map(
    (refusal) => [refusal.code, refusal.constraint],
  );

type Row = [ReasonCode, string, Parameters<typeof codes>[0], Partial<PaymentIntent>?];

describe("reason codes (docs/spec/payments.md, Verify a mandate)", () => {
  test("a payment within every limit has no reasons", () => expect(codes({})).toEqual([]));

  test.each<Row>([
    ["mandate_pending", "status", { state: "pending" }],
    ["mandate_suspended", "status", { state: "suspended" }],
    ["mandate_suspended", "payment_instrument", { hasPaymentMethod: false }],
    ["mandate_revoked", "status", { state: "revoked" }],
    ["mandate_expired", "status", { state: "expired" }],
    ["mandate_consumed", "status", { state: "consumed" }],
    ["mandate_expired", "status", { terms: { validUntil: at } }],
    ["outside_validity_window", "valid_from", { terms: { validFrom: new Date(at.getTime() + 1) } }],
    ["action_not_allowed", "actions", { terms: { actions: ["verify"] } }],
    ["currency_mismatch", "currency", {}, { currency: "USD", amountMinor: 999_999n }],
    ["payee_not_allowed", "payees", {}, { merchantId: "mch_2" }],
    ["category_not_allowed", "payees", { terms: { payeeCategories: ["5812"] } }, { merchantId: "mch_2" }],
    ["presence_not_allowed", "payer_presence", {}, { payerPresence: "off_session" }],
    ["amount_exceeds_per_payment", "max_amount_per_payment", {}, { amountMinor: 501n }],
    ["total_limit_exceeded", "max_total_amount", { lifetime: { ...noUse, usedAmount: 600n, heldAmount: 301n } }],
    ["count_limit_exceeded", "max_payments", { lifetime: { ...noUse, usedCount: 2n, heldCount: 1n } }],
    [
      "period_limit_exceeded",
      "periodic_limits[month:calendar].max_amount",
      { periods: [{ ...noUse, ...month, usedAmount: 701n }] },
    ],
    [
      "count_limit_exceeded",
      "periodic_limits[month:calendar].max_payments",
      { periods: [{ ...noUse, ...month, heldCount: 2n }] },
    ],
  ])("%s for %s", (code, constraint, change, intent) => expect(codes(change, intent)).toEqual([[code, constraint]]));

  test("returns all reasons together, but only the reason of the state if the mandate isn't active", () => {
    const many = { amountMinor: 2_000n, payerPresence: "off_session" };
    expect(codes({}, many).map(([code]) => code)).toEqual([
      "presence_not_allowed",
      "amount_exceeds_per_payment",
      "period_limit_exceeded",
      "total_limit_exceeded",
    ]);
    expect(codes({ state: "revoked" }, many)).toEqual([["mandate_revoked", "status"]]);
  });

  test("a matching category allows its merchants, and an empty list of payees allows every merchant", () => {
    expect(codes({ terms: { payeeCategories: ["5411"] } }, { merchantId: "mch_2" })).toEqual([]);
    expect(codes({ terms: { payeeMerchantIds: [] } }, { merchantId: "mch_2" })).toEqual([]);
  });

  test("ignores counters of other periods", () => {
    const october = {
      ...noUse,
      limitKey: "month:calendar",
      startsAt: new Date("2026-10-01T00:00:00Z"),
      usedAmount: 800n,
    };
    expect(codes({ periods: [october] })).toEqual([]);
  });

  test("step-up is required above step_up_above, not for exactly that amount", () => {
    expect(decide(mandate, { ...intent, amountMinor: 400n }, at).stepUpRequired).toBe(false);
    expect(decide(mandate, { ...intent, amountMinor: 401n }, at).stepUpRequired).toBe(true);
  });
});

test("an allowed payment keeps used + held + amount within every cap", () => {
  const amount = fc.bigInt({ min: 0n, max: 1_200n });
  const count = fc.bigInt({ min: 0n, max: 4n });
  const counters = fc.record({ usedAmount: amount, heldAmount: amount, usedCount: count, heldCount: count });
  fc.assert(
    fc.property(counters, counters, fc.bigInt({ min: 1n, max: 1_200n }), (lifetime, period, amountMinor) => {
      const { refusals } = decide(
        { ...mandate, lifetime, periods: [{ ...period, ...month }] },
        { ...intent, amountMinor },
        at,
      );
      const fits =
        amountMinor <= 500n &&
        lifetime.usedAmount + lifetime.heldAmount + amountMinor <= 1_000n &&
        lifetime.usedCount + lifetime.heldCount < 3n &&
        period.usedAmount + period.heldAmount + amountMinor <= 800n &&
        period.usedCount + period.heldCount < 2n;
      expect(refusals.length === 0).toBe(fits);
    }),
  );
});

describe("consumed (docs/spec/payments.md, Mandate states)", () => {
  const caps = { maxTotalAmount: 1_000n, maxPayments: 3n, refundPolicy: "consume" };
  test.each([
    ["used reaches the amount cap", caps, { ...noUse, usedAmount: 1_000n }, true],
    ["used is below both caps", caps, { ...noUse, usedAmount: 999n, usedCount: 2n }, false],
    ["used reaches the count cap", caps, { ...noUse, usedCount: 3n }, true],
    ["something is held", caps, { ...noUse, usedAmount: 1_000n, heldAmount: 1n, heldCount: 1n }, false],
    ["held alone reaches the cap", caps, { ...noUse, heldAmount: 1_000n, heldCount: 1n }, false],
    ["refunds are restored", { ...caps, refundPolicy: "restore" }, { ...noUse, usedAmount: 1_000n }, false],
    [
      "refunds are restored, and counts are used up",
      { ...caps, refundPolicy: "restore" },
      { ...noUse, usedCount: 3n },
      true,
    ],
    [
      "there is no lifetime cap",
      { ...caps, maxTotalAmount: null, maxPayments: null },
      { ...noUse, usedAmount: 9_999n },
      false,
    ],
  ])("%s: %#", (_, given, counters, expected) => expect(isConsumed(given, counters)).toBe(expected));
});

test("the remainder is 0 if a cap was lowered below used + held", () => {
  expect(leftUnder(1_000n, 400n, 100n)).toBe(500n);
  expect(leftUnder(300n, 400n, 100n)).toBe(0n);
});
