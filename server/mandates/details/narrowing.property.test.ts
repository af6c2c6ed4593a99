import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDomainError } from "../../kernel/errors.ts";
import { decide } from "../rules/limits.ts";
import { type Narrowing, narrow } from "../rules/narrow.ts";
import { narrowGranted, type TokenNarrowing } from "../rules/narrow-granted.ts";
import { periodAt } from "../rules/periods.ts";
import { limitKey } from "../rules/terms.ts";
import { ends, instants, narrowable, periodicLimits } from "./mandate-details.fixture.ts";
import type { PaymentMandateDetails } from "./payment-mandate.wire.ts";
import { toTerms } from "./to-terms.ts";

const consentedAt = new Date("2026-11-21T10:00:00Z");

/** One or two members at a time, so that many requests are granted. */
const few = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc
    .tuple(fc.subarray(Object.keys(members), { minLength: 1, maxLength: 2 }), fc.record(members))
    .map(
      ([names, all]) => Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))) as Partial<T>,
    );

const details = few({
  ...narrowable,
  valid_from: fc.constantFrom(...instants),
  valid_until: fc.constantFrom(...ends),
  time_zone: fc.constantFrom("UTC", "America/New_York"),
}).map((some): PaymentMandateDetails => {
  const valid = { actions: ["verify" as const, "charge" as const], currency: "EUR", max_total_amount: 6 };
  return { type: "payment_mandate_v1", ...valid, ...some };
});

const caps: fc.Arbitrary<Narrowing> = few({
  max_amount_per_payment: narrowable.max_amount_per_payment,
  max_total_amount: narrowable.max_total_amount,
  max_payments: narrowable.max_payments,
  step_up_above: narrowable.step_up_above,
  periodic_limits: periodicLimits,
  valid_until: fc.constantFrom(...ends),
});
const forToken: fc.Arbitrary<TokenNarrowing> = few<TokenNarrowing>(narrowable);

const payment = fc.record({
  intent: fc.record({
    action: fc.constantFrom("verify" as const, "charge" as const),
    amountMinor: fc.bigInt({ min: 1n, max: 7n }),
    currency: fc.constantFrom("EUR"),
    payerPresence: fc.constantFrom("in_session", "in_session", "off_session"),
    merchantId: fc.constantFrom("mch_1", "mch_2", "mch_9"),
    merchantCategory: fc.constantFrom("5411", "5812", "9999"),
  }),
  used: fc.record({
    usedAmount: fc.bigInt({ min: 0n, max: 1n }),
    heldAmount: fc.bigInt({ min: 0n, max: 1n }),
    usedCount: fc.bigInt({ min: 0n, max: 1n }),
    heldCount: fc.bigInt({ min: 0n, max: 1n }),
  }),
  at: fc.constantFrom("2026-11-21T10:00:00Z", "2027-02-28T23:30:00Z", "2027-04-15T00:00:00Z", "2027-07-01T00:00:00Z"),
});
type Payment = typeof payment extends fc.Arbitrary<infer T> ? T : never;

/**
 * Whether a payment is allowed, and whether it needs the payer's approval, if the counters of all current periods are
 * `used`.
 */
const judge = (item: PaymentMandateDetails, { intent, used, at }: Payment) => {
  const terms = toTerms(item, consentedAt);
  const instant = new Date(at);
  const periods = terms.periodicLimits.map((limit) => {
    const { startsAt } = periodAt(limit, { timeZone: terms.timeZone, anchor: terms.validFrom, at: instant });
    return { ...used, limitKey: limitKey(limit), startsAt };
  });
  const mandate = { state: "active" as const, terms, lifetime: used, periods, hasPaymentMethod: true };
  const { refusals, stepUpRequired } = decide(mandate, intent, instant);
  return { fits: refusals.length === 0, stepUpRequired };
};

const attempt = <T>(narrowing: () => T): T | null => {
  try {
    return narrowing();
  } catch (error) {
    expect(isDomainError(error) && [error.code, error.errors.length]).toEqual(["not_narrower", 1]);
    return null;
  }
};

const ways: [
  string,
  fc.Arbitrary<object>,
  (item: PaymentMandateDetails, requested: object) => PaymentMandateDetails,
][] = [
  ["by its payer", caps, (item, requested) => narrow(item, requested as Narrowing)],
  ["for one token", forToken, (item, requested) => narrowGranted(item, requested as TokenNarrowing)],
];

describe.each(ways)("a mandate narrowed %s", (_title, wishes, apply) => {
  test("allows no additional payment, and needs the payer's approval at least as often", () => {
    fc.assert(
      fc.property(details, wishes, payment, (item, requested, tried) => {
        const narrowed = attempt(() => apply(item, requested));
        if (!narrowed) return;
        const after = judge(narrowed, tried);
        if (!after.fits) return;
        const before = judge(item, tried);
        expect(before.fits).toBe(true);
        if (before.stepUpRequired) expect(after.stepUpRequired).toBe(true);
      }),
      { numRuns: 4000 },
    );
  });

  test("doesn't change when narrowed in the same way again", () => {
    fc.assert(
      fc.property(details, wishes, (item, requested) => {
        const narrowed = attempt(() => apply(item, requested));
        if (narrowed) expect(apply(narrowed, requested)).toEqual(narrowed);
      }),
      { numRuns: 300 },
    );
  });

  test("doesn't change when nothing is requested, and the input is never modified", () => {
    fc.assert(
      fc.property(details, wishes, (item, requested) => {
        const before = structuredClone(item);
        expect(apply(item, {})).toEqual(item);
        attempt(() => apply(item, requested));
        expect(item).toEqual(before);
      }),
    );
  });
});
