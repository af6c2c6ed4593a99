import { formatExact, parseExact, roundToMinor, toExact } from "../exact/exact.ts";
import { lateLines } from "../invoice/late-lines.ts";
import { outOfScope } from "../plans/tax-rate.wire.ts";
import type { PackageTier, Price, RateTier, Tier } from "../plans/terms.ts";
import { priceUsage } from "../prices/price-steps.ts";
import {
  chargesOf,
  invoiceOf,
  partOf,
  runnerOf,
  unitsOnly,
  type VectorRunner,
  vectorPeriod,
  vectorPlan,
} from "./vector.fixture.ts";

type UnitTier = { up_to: number | null; unit_amount: string; flat_amount: number };
type Tiers = { tiers: readonly UnitTier[]; quantity: string };
type Packages = { package_size: number; package_amount: number; free_units?: number };

const toTier = ({ up_to, unit_amount, flat_amount }: UnitTier): Tier => ({
  upTo: up_to === null ? null : BigInt(up_to),
  unit: parseExact(unit_amount),
  flat: BigInt(flat_amount),
});

/** The examples charge the flat amount of the first tier at zero usage. */
const tiered = (model: "graduated" | "volume", tiers: readonly UnitTier[]): Price => ({
  model,
  tiers: tiers.map(toTier),
  flatAtZero: true,
  freeUnits: 0n,
});

const packages = ({ package_size, package_amount, free_units = 0 }: Packages): Price => ({
  model: "package",
  size: BigInt(package_size),
  amount: BigInt(package_amount),
  freeUnits: BigInt(free_units),
});

const exactAt = (price: Price, quantity: string) => ({
  exact_minor: formatExact(priceUsage(price, unitsOnly(BigInt(quantity)))),
});

/** The cost of a late correction from one quantity to another. */
const change = (price: Price, from: string, to: string) =>
  priceUsage(price, unitsOnly(BigInt(to))) - priceUsage(price, unitsOnly(BigInt(from)));

const percentTier = (tier: { up_to_minor: number | null; rate_percent: string; flat_amount: number }): RateTier => ({
  upTo: tier.up_to_minor === null ? null : BigInt(tier.up_to_minor),
  rate: 100n * parseExact(tier.rate_percent),
  flat: BigInt(tier.flat_amount),
});

type RateTiers = {
  tiers: readonly Parameters<typeof percentTier>[0][];
  amount_minor?: string;
  transactions_minor?: number[];
};

const graduatedPercentage = runnerOf<RateTiers>(({ tiers, amount_minor, transactions_minor }) => {
  const price: Price = { model: "graduated_basis_points", tiers: tiers.map(percentTier), flatAtZero: true };
  const priceOf = (amounts: readonly number[]) => priceUsage(price, chargesOf(amounts));
  if (transactions_minor === undefined) {
    return { exact_minor: formatExact(priceOf(amount_minor === "0" ? [] : [Number(amount_minor)])) };
  }
  // The cost of a transaction is the total price with the transaction minus the total price without it.
  const each = transactions_minor.map((_, index) => {
    const before = index === 0 ? 0n : priceOf(transactions_minor.slice(0, index));
    return formatExact(priceOf(transactions_minor.slice(0, index + 1)) - before);
  });
  return { each_minor: each };
});

const percentage = runnerOf<{ events_minor: number[]; rate_percent: string; mn?: number; mx?: number; fixed?: number }>(
  ({ events_minor, rate_percent, mn, mx, fixed = 0 }) => {
    const usage = chargesOf(events_minor);
    const rate = 100n * parseExact(rate_percent);
    const toClamp = (amount: number | undefined) => (amount === undefined ? null : toExact(BigInt(amount)));
    // A fixed amount for each charge is expressed as a price per unit.
    const price: Price =
      rate === 0n
        ? { model: "per_unit", unit: toExact(BigInt(fixed)), freeUnits: 0n }
        : { model: "basis_points", rate, min: toClamp(mn), max: toClamp(mx) };
    const exact = priceUsage(price, usage);
    return { exact_minor: formatExact(exact), line_minor: Number(roundToMinor(exact)) };
  },
);

/** Kill Bill's tiers have a number of packages instead of an upper bound. */
type CountedTier = { package_size: number; max_packages: number; package_amount: number };

const graduatedPackages = runnerOf<{ tiers: readonly CountedTier[]; quantity: string }>(({ tiers, quantity }) => {
  let bound = 0n;
  const own = tiers.map(({ package_size, max_packages, package_amount }, index): PackageTier => {
    bound += BigInt(package_size * max_packages);
    const upTo = index === tiers.length - 1 ? null : bound;
    return { upTo, size: BigInt(package_size), amount: BigInt(package_amount) };
  });
  return exactAt({ model: "graduated_package", tiers: own, freeUnits: 0n }, quantity);
});

type Capped = { maximum_minor: number } & (
  | { tiers: readonly UnitTier[]; already_priced_quantity: string; additional_quantity: string }
  | (Packages & { billed_quantity: string; additional_quantity: string })
);

/** Additional usage in a period that was partly billed: a late correction that the period's maximum limits. */
const maximum = runnerOf<Capped>((input) => {
  const price = "tiers" in input ? tiered("graduated", input.tiers) : packages(input);
  const billed = BigInt("tiers" in input ? input.already_priced_quantity : input.billed_quantity);
  const pricedExact = priceUsage(price, unitsOnly(billed));
  const quantity = BigInt(input.additional_quantity);
  const trueExact = priceUsage(price, unitsOnly(billed + quantity));
  const whole = toExact(BigInt(input.maximum_minor));
  const [line] = lateLines(
    {
      period: vectorPeriod,
      plan: vectorPlan,
      minimum: 0n,
      maximum: { before: whole, after: whole },
      pricedExact,
      corrections: [{ meter: "own:units", trueExact, pricedExact, quantity }],
    },
    outOfScope,
  );
  const { amount = 0n, discount = 0n } = line ?? {};
  return { gross_minor: Number(amount), discount_minor: Number(discount), net_minor: Number(amount - discount) };
});

type Late = { billed_quantity: string; true_quantity: string };

export const priceVectors: Readonly<Record<string, VectorRunner>> = {
  "price.flat": runnerOf<{ flat_minor: number }>(({ flat_minor }) => {
    const [line] = invoiceOf(partOf({}, { flat: BigInt(flat_minor) })).lines;
    return { exact_minor: formatExact(line?.exact ?? 0n) };
  }),
  "price.per_unit": runnerOf<{ unit_amount: string; quantity: string }>(({ unit_amount, quantity }) =>
    exactAt({ model: "per_unit", unit: parseExact(unit_amount), freeUnits: 0n }, quantity),
  ),
  "price.graduated": runnerOf<Tiers>(({ tiers, quantity }) => exactAt(tiered("graduated", tiers), quantity)),
  "price.volume": runnerOf<Tiers>(({ tiers, quantity }) => exactAt(tiered("volume", tiers), quantity)),
  "price.package": runnerOf<Packages & { quantity: string }>((input) => exactAt(packages(input), input.quantity)),
  "price.graduated_package": graduatedPackages,
  "price.percentage": percentage,
  "price.graduated_percentage": graduatedPercentage,
  "price.graduated.late_or_split": runnerOf<{
    tiers: readonly UnitTier[];
    already_priced_quantity: string;
    additional_quantity: string;
  }>(({ tiers, already_priced_quantity: before, additional_quantity: more }) => ({
    exact_minor: formatExact(change(tiered("graduated", tiers), before, String(BigInt(before) + BigInt(more)))),
  })),
  "price.volume.late_event": runnerOf<Late & { tiers: readonly UnitTier[] }>((input) => ({
    delta_minor: Number(
      roundToMinor(change(tiered("volume", input.tiers), input.billed_quantity, input.true_quantity)),
    ),
  })),
  "price.package.late_event": runnerOf<Late & Packages>((input) => ({
    delta_minor: Number(roundToMinor(change(packages(input), input.billed_quantity, input.true_quantity))),
  })),
  "commitment.maximum": maximum,
};
