import fc from "fast-check";
import { toExact } from "../exact/exact.ts";
import type { Meter, MeterUsage, Price } from "../plans/terms.ts";
import { chargePrice, chargeUsage, unitPrice, unitUsage } from "../prices/price-model.fixture.ts";
import type { AppliedCoupon, InvoiceInput, LatePeriod, PeriodPart, PrepaidGrant } from "./types.ts";

/** The other members of the input, for an invoice that has only the lines of its parts. */
export const onlyParts = {
  late: [],
  refunds: [],
  slaCredits: [],
  coupons: [],
  creditBalance: 0n,
  prepaid: [],
} satisfies Partial<InvoiceInput>;

const period = { from: new Date("2027-01-01T00:00:00Z"), to: new Date("2027-02-01T00:00:00Z") };
const plan = { id: "pro", version: 1 };
const meters = ["tokens_issued", "own:sms_sent", "successful_charges"] as const;

const minor = fc.bigInt({ min: 0n, max: 5_000n });
const negativeExact = fc.bigInt({ min: -(10n ** 15n), max: 0n });
/** The maximum less the fees of earlier parts; negative if these exceed the maximum. */
const room = fc.bigInt({ min: -2_000n, max: 6_000n }).map(toExact);
/** In steps of 0.001 minor units, so that halves occur. */
const thousandths = fc.bigInt({ min: 0n, max: 3_000_000n }).map((value) => value * 10n ** 9n);

const metered: fc.Arbitrary<[Meter, Price, MeterUsage][]> = fc
  .tuple(unitPrice, unitUsage, unitPrice, unitUsage, chargePrice, chargeUsage)
  .map(([one, used, other, otherUsed, fees, charges]) => [
    [meters[0], one, used],
    [meters[1], other, otherUsed],
    [meters[2], fees, charges],
  ]);

const part: fc.Arbitrary<PeriodPart> = fc
  .record({
    flat: minor,
    minimum: minor,
    above: fc.option(minor, { nil: null }),
    used: fc.integer({ min: 0, max: 31 }),
    metered,
  })
  .map(({ flat, minimum, above, used, metered: given }) => ({
    plan,
    terms: {
      flat,
      minimum,
      maximum: above === null ? null : minimum + above,
      prices: new Map(given.map(([meter, price]) => [meter, price])),
    },
    period: { ...period },
    days: { used, of: 31 },
    usage: new Map(given.map(([meter, , usage]) => [meter, usage])),
  }));

const percent = (value: bigint) => toExact(value);
const behaviour = fc.constantFrom("exclusive" as const, "inclusive" as const);
const rate = fc.constantFrom(percent(19n), percent(7n));
const supplyTax = fc.record({ category: fc.constant("S"), rate, behaviour });
/** A supply without its own tax has the tax of the invoice. */
const withTax = <Supply extends object>(supplies: fc.Arbitrary<Supply>) =>
  fc
    .tuple(supplies, fc.option(supplyTax, { nil: undefined }))
    .map(([supply, tax]) => (tax ? { ...supply, tax } : supply));

const late: fc.Arbitrary<LatePeriod> = fc
  .record({
    minimum: minor,
    maximum: fc.option(fc.record({ before: room, after: room }), { nil: null }),
    corrections: fc.array(
      fc.record({
        meter: fc.constantFrom(...meters),
        trueExact: thousandths,
        pricedExact: thousandths,
        quantity: fc.bigInt({ min: 1n, max: 9n }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ minimum, maximum, corrections }) => {
    const pricedExact = corrections.reduce((sum, one) => sum + one.pricedExact, 0n);
    return { period, plan, minimum, maximum, pricedExact, corrections };
  });

const boundTo = fc.option(fc.subarray([...meters], { minLength: 1 }), { nil: null });
const code = fc.constantFrom("A", "B", "C");
const coupon: fc.Arbitrary<AppliedCoupon> = fc.oneof(
  fc.record({
    code,
    percent: fc.bigInt({ min: 1n, max: 1_000n }).map((tenths) => tenths * 10n ** 11n),
    amountMinor: fc.constant(null),
    meters: boundTo,
  }),
  fc.record({ code, percent: fc.constant(null), amountMinor: fc.bigInt({ min: 1n, max: 4_000n }), meters: boundTo }),
);

const day = fc.integer({ min: 1, max: 3 }).map((date) => new Date(Date.UTC(2027, 0, date)));
const grants: fc.Arbitrary<PrepaidGrant[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom("prepaid" as const, "promotional" as const),
      remaining: fc.bigInt({ min: 0n, max: 3_000n }),
      priority: fc.integer({ min: 1, max: 2 }),
      expiresAt: fc.option(day, { nil: null }),
      grantedAt: day,
    }),
    { maxLength: 4 },
  )
  .map((given) => given.map((grant, index) => ({ ...grant, id: `grant_${index}` })));

/** Currencies with 0, 2 and 3 decimals. */
export const invoiceCurrencies = ["JPY", "EUR", "KWD"] as const;

export const invoiceInput: fc.Arbitrary<InvoiceInput> = fc.record({
  currency: fc.constantFrom(...invoiceCurrencies),
  tax: fc.record({
    category: fc.constant("S"),
    rate: fc.constantFrom(percent(19n), percent(25n), 81n * 10n ** 11n, 0n),
    behaviour,
  }),
  parts: fc.array(part, { minLength: 1, maxLength: 2 }),
  late: fc.array(withTax(late), { maxLength: 2 }),
  refunds: fc.array(
    withTax(
      fc.record({
        meter: fc.constant("successful_charges"),
        period: fc.constant(period),
        exact: negativeExact,
        quantity: fc.constant(1n),
      }),
    ),
    { maxLength: 2 },
  ),
  slaCredits: fc.array(
    fc.record({
      component: fc.constant("Authorization server"),
      period: fc.constant(period),
      exact: negativeExact,
      tax: supplyTax,
    }),
    { maxLength: 1 },
  ),
  coupons: fc.array(coupon, { maxLength: 3 }),
  creditBalance: fc.bigInt({ min: 0n, max: 2_000n }),
  prepaid: grants,
});
