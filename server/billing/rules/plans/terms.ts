import type { BillingInterval } from "../../../kernel/billing/interval-months.ts";
import type { Exact } from "../exact/exact.ts";

/** A built-in meter, or `own:NAME` for a merchant's own meter. */
export type Meter = string;

/** `upTo` is inclusive; it is null in the last tier. */
export type Tier = { upTo: bigint | null; unit: Exact; flat: bigint };
export type PackageTier = { upTo: bigint | null; size: bigint; amount: bigint };
/** `upTo` is a cumulative amount in minor units. `rate` is in basis points. */
export type RateTier = { upTo: bigint | null; rate: Exact; flat: bigint };

export type Price =
  | { model: "per_unit"; unit: Exact; freeUnits: bigint }
  | { model: "graduated" | "volume"; tiers: readonly Tier[]; flatAtZero: boolean; freeUnits: bigint }
  | { model: "package"; size: bigint; amount: bigint; freeUnits: bigint }
  | { model: "graduated_package"; tiers: readonly PackageTier[]; freeUnits: bigint }
  /** `min` and `max` apply to each charge */
  | { model: "basis_points"; rate: Exact; min: Exact | null; max: Exact | null }
  | { model: "graduated_basis_points"; tiers: readonly RateTier[]; flatAtZero: boolean };

/** `prices` is in the order of the file. */
export type CurrencyTerms = {
  flat: bigint;
  minimum: bigint;
  maximum: bigint | null;
  prices: ReadonlyMap<Meter, Price>;
};

/** `currencies` is in the order of the file. */
export type PlanTerms = {
  interval: BillingInterval;
  trialDays: number;
  currencies: ReadonlyMap<string, CurrencyTerms>;
};

export type PlanRef = { id: string; version: number };

/** `category`: a code of UNCL5305 that EN 16931 allows. `rate` is in percent. */
export type TaxRate = { category: string; rate: Exact };

/**
 * Usage of one meter in one interval. `amounts`: for successful_charges, each distinct amount with its number of
 * charges; these numbers sum to the quantity.
 */
export type MeterUsage = { quantity: bigint; amounts: readonly { amountMinor: bigint; count: bigint }[] };
export const noUsage: MeterUsage = { quantity: 0n, amounts: [] };
export type Usage = ReadonlyMap<Meter, MeterUsage>;
