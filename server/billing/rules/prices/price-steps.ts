import { smaller } from "../../../kernel/money/smaller.ts";
import { type Exact, multiplyRatio, toExact } from "../exact/exact.ts";
import type { MeterUsage, PackageTier, Price, RateTier, Tier } from "../plans/terms.ts";

/**
 * One step of a price. `from` (inclusive) and `to` (exclusive) are positions in the quantity or, with basis points, in
 * the amount of money. `units`: the quantity that the step prices. The steps of a line sum to its `exact`.
 */
export type PriceStep = { from: bigint; to: bigint; units: bigint; exact: Exact };

/**
 * @yields no step for zero usage that costs nothing. Exception: without paid units, `per_unit` yields a step of zero
 *   units.
 */
export function* priceSteps(price: Price, usage: MeterUsage): Generator<PriceStep> {
  switch (price.model) {
    case "per_unit":
      return yield* paidUnits(price, usage, (units) => [{ from: 0n, to: units, units, exact: price.unit * units }]);
    case "graduated":
      return yield* paidUnits(price, usage, (units) => graduatedSteps(price, units));
    case "volume":
      return yield* paidUnits(price, usage, (units) => volumeSteps(price, units));
    case "package":
      return yield* paidUnits(price, usage, (units) => packageSteps([{ ...price, upTo: null }], units));
    case "graduated_package":
      return yield* paidUnits(price, usage, (units) => packageSteps(price.tiers, units));
    case "basis_points":
      return yield* chargeSteps(price, usage);
    case "graduated_basis_points":
      return yield* graduatedRateSteps(price, usage);
  }
}

/** The exact price of a meter's usage in one period. */
export const priceUsage = (price: Price, usage: MeterUsage): Exact => {
  let sum = 0n;
  for (const { exact } of priceSteps(price, usage)) sum += exact;
  return sum;
};

/** Free units are subtracted first: tiers and packages apply only to the rest. */
function* paidUnits(
  { freeUnits }: { freeUnits: bigint },
  { quantity }: MeterUsage,
  stepsOf: (units: bigint) => Iterable<PriceStep>,
): Generator<PriceStep> {
  const free = smaller(quantity, freeUnits);
  if (free > 0n) yield { from: 0n, to: free, units: free, exact: 0n };
  for (const step of stepsOf(quantity - free)) yield { ...step, from: step.from + free, to: step.to + free };
}

/** The part of the quantity in each tier that it reaches. A tier's upper bound is inclusive. */
function* enteredTiers<T extends { upTo: bigint | null }>(
  tiers: readonly T[],
  quantity: bigint,
): Generator<{ tier: T; from: bigint; to: bigint }> {
  let from = 0n;
  for (const tier of tiers) {
    if (from >= quantity) return;
    const to = tier.upTo === null ? quantity : smaller(quantity, tier.upTo);
    yield { tier, from, to };
    from = to;
  }
}

type Tiered<T> = { tiers: readonly T[]; flatAtZero: boolean };

/** Zero usage costs the flat amount of the first tier only if the plan sets `flat_at_zero`. */
const zeroSteps = ({ tiers, flatAtZero }: Tiered<{ flat: bigint }>): PriceStep[] => {
  const flat = flatAtZero ? (tiers[0]?.flat ?? 0n) : 0n;
  return flat === 0n ? [] : [{ from: 0n, to: 0n, units: 0n, exact: toExact(flat) }];
};

function* graduatedSteps(price: Tiered<Tier>, quantity: bigint): Generator<PriceStep> {
  if (quantity === 0n) return yield* zeroSteps(price);
  for (const { tier, from, to } of enteredTiers(price.tiers, quantity)) {
    yield { from, to, units: to - from, exact: tier.unit * (to - from) + toExact(tier.flat) };
  }
}

/** All units cost the price of the tier that the quantity reaches. */
function* volumeSteps(price: Tiered<Tier>, quantity: bigint): Generator<PriceStep> {
  if (quantity === 0n) return yield* zeroSteps(price);
  const tier = price.tiers.find(({ upTo }) => upTo === null || quantity <= upTo);
  if (tier) yield { from: 0n, to: quantity, units: quantity, exact: tier.unit * quantity + toExact(tier.flat) };
}

/** In each tier, an incomplete package is charged in full. */
function* packageSteps(tiers: readonly PackageTier[], quantity: bigint): Generator<PriceStep> {
  for (const { tier, from, to } of enteredTiers(tiers, quantity)) {
    const packages = (to - from + tier.size - 1n) / tier.size;
    yield { from, to, units: to - from, exact: toExact(tier.amount * packages) };
  }
}

type BasisPoints = Extract<Price, { model: "basis_points" }>;

const basisPoints = 10_000n;

/** The fee of one charge, limited by the minimum and maximum per charge. */
export const feeOfCharge = ({ rate, min, max }: BasisPoints, amountMinor: bigint): Exact => {
  const fee = multiplyRatio(rate, amountMinor, basisPoints);
  if (min !== null && fee < min) return min;
  return max !== null && fee > max ? max : fee;
};

/** One step for each distinct amount. */
function* chargeSteps(price: BasisPoints, { amounts }: MeterUsage): Generator<PriceStep> {
  for (const { amountMinor, count } of amounts) {
    yield { from: 0n, to: amountMinor, units: count, exact: feeOfCharge(price, amountMinor) * count };
  }
}

/** Tiers apply to the cumulative amount, so that the order of the charges doesn't matter. */
function* graduatedRateSteps(price: Tiered<RateTier>, usage: MeterUsage): Generator<PriceStep> {
  const total = totalAmount(usage);
  if (total === 0n) return yield* zeroSteps(price);
  for (const { tier, from, to } of enteredTiers(price.tiers, total)) {
    const exact = multiplyRatio(tier.rate, to - from, basisPoints) + toExact(tier.flat);
    yield { from, to, units: to - from, exact };
  }
}

export const totalAmount = ({ amounts }: MeterUsage): bigint =>
  amounts.reduce((sum, { amountMinor, count }) => sum + amountMinor * count, 0n);
