import fc from "fast-check";
import { type Exact, toExact } from "../exact/exact.ts";
import type { MeterUsage, Price } from "../plans/terms.ts";

/**
 * A simple, slow reference computation of prices for small quantities. It prices each unit and each charge separately.
 */

const tierOf = <T extends { upTo: bigint | null }>(tiers: readonly T[], unit: bigint): T => {
  const tier = tiers.find(({ upTo }) => upTo === null || unit <= upTo);
  if (!tier) throw new Error("the last tier has an upper bound");
  return tier;
};

const units = (count: bigint): bigint[] => Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1));
const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n);

/** The division has no remainder, because rates in these tests have at most 2 fraction digits. */
const ofRate = (rate: Exact, amountMinor: bigint): Exact => (rate * amountMinor) / 10_000n;

const clamp = (fee: Exact, min: Exact | null, max: Exact | null): Exact => {
  if (min !== null && fee < min) return min;
  return max !== null && fee > max ? max : fee;
};

const packagesIn = (count: bigint, size: bigint): bigint => {
  let packages = 0n;
  for (let covered = 0n; covered < count; covered += size) packages += 1n;
  return packages;
};

export const slowPrice = (price: Price, { quantity, amounts }: MeterUsage): Exact => {
  const free = "freeUnits" in price ? price.freeUnits : 0n;
  const paid = units(quantity > free ? quantity - free : 0n);
  const charges = amounts.flatMap(({ amountMinor, count }) => units(count).map(() => amountMinor));
  switch (price.model) {
    case "per_unit":
      return sum(paid.map(() => price.unit));
    case "package":
      return toExact(price.amount * packagesIn(BigInt(paid.length), price.size));
    case "basis_points":
      return sum(charges.map((amount) => clamp(ofRate(price.rate, amount), price.min, price.max)));
    case "volume": {
      if (paid.length === 0) return toExact(price.flatAtZero ? (price.tiers[0]?.flat ?? 0n) : 0n);
      const tier = tierOf(price.tiers, BigInt(paid.length));
      return sum(paid.map(() => tier.unit)) + toExact(tier.flat);
    }
    case "graduated": {
      if (paid.length === 0) return toExact(price.flatAtZero ? (price.tiers[0]?.flat ?? 0n) : 0n);
      const entered = new Set(paid.map((unit) => tierOf(price.tiers, unit)));
      return (
        sum(paid.map((unit) => tierOf(price.tiers, unit).unit)) + toExact(sum([...entered].map(({ flat }) => flat)))
      );
    }
    case "graduated_package": {
      const perTier = Map.groupBy(paid, (unit) => tierOf(price.tiers, unit));
      return toExact(sum([...perTier].map(([tier, own]) => tier.amount * packagesIn(BigInt(own.length), tier.size))));
    }
    case "graduated_basis_points": {
      const minorUnits = units(sum(charges));
      if (minorUnits.length === 0) return toExact(price.flatAtZero ? (price.tiers[0]?.flat ?? 0n) : 0n);
      const entered = new Set(minorUnits.map((unit) => tierOf(price.tiers, unit)));
      const fees = minorUnits.map((unit) => ofRate(tierOf(price.tiers, unit).rate, 1n));
      return sum(fees) + toExact(sum([...entered].map(({ flat }) => flat)));
    }
  }
};

const small = fc.bigInt({ min: 0n, max: 500n });
const hundredths = fc.bigInt({ min: 0n, max: 2_000n }).map((value) => value * 10n ** 10n);
const freeUnits = fc.bigInt({ min: 0n, max: 30n });

/** One to four tiers with increasing bounds; the last tier has no bound. */
const tiersOf = <T extends object>(values: fc.Arbitrary<T>, width: bigint) =>
  fc
    .array(fc.record({ width: fc.bigInt({ min: 1n, max: width }), values }), { minLength: 1, maxLength: 4 })
    .map((given) => {
      let bound = 0n;
      return given.map(({ width: own, values: rest }, index) => {
        bound += own;
        return { ...rest, upTo: index === given.length - 1 ? null : bound };
      });
    });

const size = fc.bigInt({ min: 1n, max: 20n });

export const unitPrice: fc.Arbitrary<Price> = fc.oneof(
  fc.record({ model: fc.constant("per_unit" as const), unit: hundredths, freeUnits }),
  fc.record({
    model: fc.constantFrom("graduated" as const, "volume" as const),
    tiers: tiersOf(fc.record({ unit: hundredths, flat: small }), 40n),
    flatAtZero: fc.boolean(),
    freeUnits,
  }),
  fc.record({ model: fc.constant("package" as const), size, amount: small, freeUnits }),
  fc.record({
    model: fc.constant("graduated_package" as const),
    tiers: tiersOf(fc.record({ size, amount: small }), 40n),
    freeUnits,
  }),
);

const clampAmount = fc.option(hundredths, { nil: null });

export const chargePrice: fc.Arbitrary<Price> = fc.oneof(
  fc
    .record({ model: fc.constant("basis_points" as const), rate: hundredths, min: clampAmount, max: clampAmount })
    .filter(({ min, max }) => min === null || max === null || min <= max),
  fc.record({
    model: fc.constant("graduated_basis_points" as const),
    tiers: tiersOf(fc.record({ rate: hundredths, flat: small }), 300n),
    flatAtZero: fc.boolean(),
  }),
);

export const unitUsage: fc.Arbitrary<MeterUsage> = fc.record({
  quantity: fc.bigInt({ min: 0n, max: 200n }),
  amounts: fc.constant([]),
});

export const chargeUsage: fc.Arbitrary<MeterUsage> = fc
  .array(fc.record({ amountMinor: fc.bigInt({ min: 1n, max: 300n }), count: fc.bigInt({ min: 1n, max: 3n }) }), {
    maxLength: 4,
  })
  .map((amounts) => ({ quantity: sum(amounts.map(({ count }) => count)), amounts }));
