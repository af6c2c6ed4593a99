import { exactUnit, toExact } from "../exact/exact.ts";
import { type MeterUsage, noUsage, type Price } from "../plans/terms.ts";
import { slowPrice } from "../prices/price-model.fixture.ts";
import type { Period } from "../usage-period.ts";
import type {
  AppliedCoupon,
  InvoiceInput,
  LatePeriod,
  PeriodPart,
  PrepaidGrant,
  RefundedFee,
  VoidedCredit,
} from "./types.ts";

/** A simple, slow reference computation of invoices, one minor unit at a time where possible. */

type Tax = { category: string; rate: bigint };

/**
 * `exact`: with tax if the prices of the invoice include tax. `source`: the refund or the repeated credit that the line
 * comes from.
 */
export type SlowLine = Tax & {
  kind: string;
  meter: string | null;
  exact: bigint;
  amount: bigint;
  discount: bigint;
  period: Period;
  source?: RefundedFee | VoidedCredit;
};

/** Rounds the quotient to the nearest whole number, half to even. */
export const nearest = (dividend: bigint, divisor: bigint): bigint => {
  let below = dividend / divisor;
  while (below * divisor > dividend) below -= 1n;
  const [toBelow, toAbove] = [dividend - below * divisor, (below + 1n) * divisor - dividend];
  if (toBelow !== toAbove) return toBelow < toAbove ? below : below + 1n;
  return below % 2n === 0n ? below : below + 1n;
};

const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

/** Proportional shares, rounded down. The remaining units go one by one to the shares that rounding reduced most. */
export const slowShares = (amount: bigint, weights: readonly bigint[]): bigint[] => {
  const sum = total(weights);
  const shares = weights.map((weight) => (sum === 0n ? 0n : (amount * weight) / sum));
  const missing = (index: number) => amount * (weights[index] ?? 0n) - (shares[index] ?? 0n) * sum;
  const raised = new Set<number>();
  while (sum > 0n && total(shares) < amount) {
    const [first = 0, ...others] = [...shares.keys()].filter((index) => !raised.has(index));
    const most = others.reduce((best, index) => (missing(index) > missing(best) ? index : best), first);
    raised.add(most);
    shares[most] = (shares[most] ?? 0n) + 1n;
  }
  return shares;
};

export const prorateSlowly = (amount: bigint, { used, of }: PeriodPart["days"]): bigint =>
  nearest(toExact(amount) * BigInt(used), BigInt(of));

export const toMinorSlowly = (exact: bigint): bigint => nearest(exact, exactUnit);

/** Converts an amount of a supply to the tax behaviour of the invoice. The result includes tax if its prices do. */
const toPrices = (exact: bigint, own: InvoiceInput["tax"], behaviour: string): bigint => {
  const [hundred, withTax] = [100n * exactUnit, 100n * exactUnit + own.rate];
  if (own.behaviour === behaviour) return exact;
  return behaviour === "inclusive" ? nearest(exact * withTax, hundred) : nearest(exact * hundred, withTax);
};

const taxOnly = ({ category, rate }: Tax): Tax => ({ category, rate });

/** The price of the usage of all parts so far, minus the price of the earlier parts. */
export const slowPartPrice = (price: Price, own: MeterUsage, earlier: readonly MeterUsage[]): bigint => {
  const sumOf = (all: readonly MeterUsage[]): MeterUsage => ({
    quantity: total(all.map(({ quantity }) => quantity)),
    amounts: all.flatMap(({ amounts }) => amounts),
  });
  const before = earlier.length === 0 ? 0n : slowPrice(price, sumOf(earlier));
  return slowPrice(price, sumOf([...earlier, own])) - before;
};

type SlowFee = { meter: string | null; exact: bigint };

/** The flat fee and the usage of a part. */
const slowFees = ({ terms, days, usage, earlier = [] }: PeriodPart): SlowFee[] => {
  const fees: SlowFee[] = [];
  const flat = prorateSlowly(terms.flat, days);
  if (flat !== 0n) fees.push({ meter: null, exact: flat });
  for (const [meter, price] of terms.prices) {
    const own = usage.get(meter) ?? noUsage;
    const before = earlier.map((part) => part.usage.get(meter) ?? noUsage);
    const exact = slowPartPrice(price, own, before);
    if (own.quantity > 0n || exact > 0n) fees.push({ meter, exact });
  }
  return fees;
};

const slowPart = (part: PeriodPart, tax: Tax): SlowLine[] => {
  const { terms, days, earlier = [] } = part;
  const fees = slowFees(part);
  const earlierFees = earlier.flatMap((one, index) => slowFees({ ...one, earlier: earlier.slice(0, index) }));
  const sumOf = (some: readonly SlowFee[]) => total(some.map(({ exact }) => toMinorSlowly(exact)));
  const limits = { minimum: 0n, maximum: terms.maximum, earlier: sumOf(earlierFees) };
  const excess = sumOf(fees) - slowFeesCost(sumOf(fees), limits);
  const sharesOf = (amount: bigint, sign: bigint) =>
    slowShares(
      amount,
      fees.map(({ exact }) => toMinorSlowly(exact) * sign).map((weight) => (weight > 0n ? weight : 0n)),
    );
  const discounts = sharesOf(excess > 0n ? excess : 0n, 1n);
  const raised = sharesOf(excess < 0n ? -excess : 0n, -1n);
  const lines = fees.map(({ meter, exact }, index): SlowLine => {
    const whole = exact + toExact(raised[index] ?? 0n);
    const amount = toMinorSlowly(whole);
    const kind = meter === null ? "flat" : "usage";
    return { kind, meter, exact: whole, amount, discount: discounts[index] ?? 0n, period: part.period, ...tax };
  });
  const sum = total(lines.map(({ amount }) => amount));
  const missing = toMinorSlowly(prorateSlowly(terms.minimum, days)) - (sum > 0n ? sum : 0n);
  const trueUp = { kind: "true_up", meter: null, exact: toExact(missing), amount: missing, discount: 0n };
  if (missing > 0n) lines.push({ ...trueUp, period: part.period, ...tax });
  return lines;
};

type SlowLimits = { minimum: bigint; maximum: bigint | null; earlier: bigint };

/** The fees of all parts, limited by the maximum, minus the fees of the earlier parts, limited by the maximum. */
const slowFeesCost = (fees: bigint, { maximum, earlier }: SlowLimits): bigint => {
  const capped = (sum: bigint) => (maximum !== null && sum > maximum ? maximum : sum);
  return capped(earlier + fees) - capped(earlier);
};

/** The cost of a part: its fees, limited by the maximum and raised to the minimum. */
const slowCost = (fees: bigint, limits: SlowLimits) => {
  const net = slowFeesCost(fees, limits);
  const discount = fees > net ? fees - net : 0n;
  const charged = net + discount;
  const missing = limits.minimum - (charged > 0n ? charged : 0n);
  return { net: missing > 0n ? net + missing : net, discount };
};

const slowLate = (
  { period, minimum, maximum, pricedExact, corrections, tax: own }: LatePeriod,
  tax: InvoiceInput["tax"],
): SlowLine[] => {
  const supply = own ?? tax;
  const inPrices = (exact: bigint) => toPrices(exact, supply, tax.behaviour);
  const costOf = (fees: bigint, left: bigint | undefined) =>
    // Only the difference between the maximum and the earlier fees matters, so any maximum gives the same result.
    slowCost(fees, {
      minimum: toExact(minimum),
      maximum: left === undefined ? null : toExact(10_000n),
      earlier: left === undefined ? 0n : toExact(10_000n) - left,
    });
  const lines: SlowLine[] = [];
  const add = (meter: string | null, charged: bigint, off: bigint) => {
    const exact = inPrices(charged);
    const [amount, discount] = [toMinorSlowly(exact), toMinorSlowly(inPrices(off))];
    lines.push({ kind: "late", meter, exact, amount, discount, period, ...taxOnly(supply) });
  };
  const change = costOf(pricedExact, maximum?.after).net - costOf(pricedExact, maximum?.before).net;
  if (change !== 0n) add(null, change, 0n);
  let priced = pricedExact;
  for (const correction of corrections) {
    const before = costOf(priced, maximum?.after);
    priced += correction.trueExact - correction.pricedExact;
    const after = costOf(priced, maximum?.after);
    const net = after.net - before.net;
    const discount = after.discount - before.discount;
    // If the discount would be negative or larger than the amount, the line has no discount.
    if (discount >= 0n && net >= 0n) add(correction.meter, net + discount, discount);
    else add(correction.meter, net, 0n);
  }
  return lines;
};

const applySlowCoupon = (lines: SlowLine[], { percent, amountMinor, meters }: AppliedCoupon): void => {
  const covered = lines.filter(({ meter }) => meters === null || (meter !== null && meters.includes(meter)));
  const left = covered.map(({ amount, discount }) => amount - discount);
  const base = total(left);
  if (base <= 0n) return;
  const wanted = percent === null ? (amountMinor ?? 0n) : nearest(base * percent, 100n * exactUnit);
  const excess = wanted - base;
  const shares = slowShares(
    excess > 0n ? base : wanted,
    left.map((amount) => (amount > 0n ? amount : 0n)),
  );
  for (const [index, line] of covered.entries()) line.discount += shares[index] ?? 0n;
};

const slowTax = (lines: readonly SlowLine[], behaviour: string): bigint => {
  const groups = Map.groupBy(lines, ({ category, rate }) => `${category} ${rate}`);
  const taxes = [...groups.values()].map((members) => {
    const base = total(members.map(({ amount, discount }) => amount - discount));
    const rate = members[0]?.rate ?? 0n;
    const hundred = 100n * exactUnit;
    if (behaviour === "exclusive") return nearest(base * rate, hundred);
    return base - nearest(base * hundred, hundred + rate);
  });
  return total(taxes);
};

const isBefore = (one: PrepaidGrant, other: PrepaidGrant): boolean => {
  if (one.priority !== other.priority) return one.priority < other.priority;
  const [expiry, otherExpiry] = [one, other].map(({ expiresAt }) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
  if (expiry !== otherExpiry) return (expiry ?? 0) < (otherExpiry ?? 0);
  if (one.kind !== other.kind) return one.kind === "promotional";
  if (+one.grantedAt !== +other.grantedAt) return one.grantedAt < other.grantedAt;
  return one.id < other.id;
};

/** Uses one grant at a time, always the first of the remaining grants. */
const slowPrepaid = (due: bigint, grants: readonly PrepaidGrant[]): Map<string, bigint> => {
  const used = new Map<string, bigint>();
  let left = due;
  let others = grants.filter(({ remaining }) => remaining > 0n);
  while (left > 0n && others.length > 0) {
    const first = others.reduce((best, grant) => (isBefore(grant, best) ? grant : best));
    const rest = left - first.remaining;
    const amount = rest > 0n ? first.remaining : left;
    used.set(first.id, amount);
    left -= amount;
    others = others.filter((grant) => grant !== first);
  }
  return used;
};

export const slowInvoice = (input: InvoiceInput) => {
  const { tax } = input;
  const { behaviour } = tax;
  const creditOf = (
    kind: string,
    given: { meter?: string | null; period: Period; exact: bigint; tax?: typeof tax },
  ) => {
    const { meter = null, period, tax: own = tax } = given;
    const exact = toPrices(given.exact, own, behaviour);
    return { kind, meter, exact, amount: toMinorSlowly(exact), discount: 0n, period, ...taxOnly(own) };
  };
  const credits: SlowLine[] = [
    ...input.refunds.map((refund) => ({ ...creditOf("refund", refund), source: refund })),
    ...input.slaCredits.map((credit) => creditOf("sla_credit", credit)),
    ...(input.voided ?? []).map((credit) => ({ ...creditOf(credit.kind, credit), source: credit })),
  ];
  const late = input.late.flatMap((period) => slowLate(period, tax));
  const lines = [...input.parts.flatMap((part) => slowPart(part, taxOnly(tax))), ...late, ...credits];
  const bound = input.coupons.filter(({ meters }) => meters !== null);
  for (const coupon of [...bound, ...input.coupons.filter(({ meters }) => meters === null)]) {
    applySlowCoupon(lines, coupon);
  }
  const subtotal = total(lines.map(({ amount }) => amount));
  const discount = total(lines.map((line) => line.discount));
  const taxAmount = slowTax(lines, behaviour);
  const balance = subtotal - discount + (behaviour === "exclusive" ? taxAmount : 0n);
  const sum = balance < 0n ? 0n : balance;
  const creditApplied = input.creditBalance > sum ? sum : input.creditBalance;
  const prepaid = slowPrepaid(sum - creditApplied, input.prepaid);
  const amountDue = sum - creditApplied - total([...prepaid.values()]);
  return { lines, subtotal, discount, tax: taxAmount, total: sum, creditApplied, prepaid, amountDue, balance };
};
