import { type Exact, parseExact } from "../exact/exact.ts";
import type { PlanDefinition } from "./plan.wire.ts";
import type { PriceDefinition } from "./price.wire.ts";
import type { CurrencyTerms, PlanTerms, Price } from "./terms.ts";

const orZero = (value: number | undefined): bigint => BigInt(value ?? 0);
const orNull = (value: number | undefined): bigint | null => (value === undefined ? null : BigInt(value));
const exactOrNull = (text: string | undefined): Exact | null => (text === undefined ? null : parseExact(text));

/** The terms of a stored or validated definition, in the order of the file. */
export const toPlanTerms = (definition: PlanDefinition): PlanTerms => ({
  interval: definition.interval,
  trialDays: definition.trial_days ?? 0,
  currencies: new Map(
    Object.entries(definition.currencies).map(([currency, terms]) => [currency, toCurrencyTerms(terms)]),
  ),
});

const toCurrencyTerms = (terms: PlanDefinition["currencies"][string]): CurrencyTerms => ({
  flat: orZero(terms.flat),
  minimum: orZero(terms.minimum),
  maximum: orNull(terms.maximum),
  prices: new Map(Object.entries(terms.prices ?? {}).map(([meter, price]) => [meter, toPrice(price)])),
});

const toPrice = (price: PriceDefinition): Price => {
  switch (price.model) {
    case "per_unit":
      return { model: price.model, unit: parseExact(price.unit), freeUnits: orZero(price.free_units) };
    case "graduated":
    case "volume":
      return {
        model: price.model,
        tiers: price.tiers.map((tier) => ({
          upTo: orNull(tier.up_to),
          unit: parseExact(tier.unit),
          flat: orZero(tier.flat),
        })),
        flatAtZero: price.flat_at_zero ?? false,
        freeUnits: orZero(price.free_units),
      };
    case "package":
      return {
        model: price.model,
        size: BigInt(price.size),
        amount: BigInt(price.amount),
        freeUnits: orZero(price.free_units),
      };
    case "graduated_package":
      return {
        model: price.model,
        tiers: price.tiers.map((tier) => ({
          upTo: orNull(tier.up_to),
          size: BigInt(tier.size),
          amount: BigInt(tier.amount),
        })),
        freeUnits: orZero(price.free_units),
      };
    case "basis_points":
      return {
        model: price.model,
        rate: parseExact(price.rate),
        min: exactOrNull(price.min),
        max: exactOrNull(price.max),
      };
    case "graduated_basis_points":
      return {
        model: price.model,
        tiers: price.tiers.map((tier) => ({
          upTo: orNull(tier.up_to),
          rate: parseExact(tier.rate),
          flat: orZero(tier.flat),
        })),
        flatAtZero: price.flat_at_zero ?? false,
      };
  }
};
