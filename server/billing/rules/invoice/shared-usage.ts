import type { Exact } from "../exact/exact.ts";
import { type Meter, type MeterUsage, noUsage, type Price } from "../plans/terms.ts";
import { priceUsage } from "../prices/price-steps.ts";
import type { PeriodPart } from "./types.ts";

type Earlier = PeriodPart["earlier"];

/**
 * The usage of a meter in the earlier parts. It has already used free units and tiers. Null without an earlier part.
 */
export const earlierUsage = (earlier: Earlier, meter: Meter): MeterUsage | null => {
  if (earlier === undefined || earlier.length === 0) return null;
  return earlier.reduce((sum, { usage }) => addUsage(sum, usage.get(meter) ?? noUsage), noUsage);
};

export const addUsage = (one: MeterUsage, other: MeterUsage): MeterUsage => ({
  quantity: one.quantity + other.quantity,
  amounts: [...one.amounts, ...other.amounts],
});

/**
 * The amount by which this usage increases the price of the earlier usage. So the prices of all parts sum to the price
 * of all usage.
 */
export const priceAfter = (price: Price, usage: MeterUsage, earlier: MeterUsage | null): Exact =>
  earlier === null
    ? priceUsage(price, usage)
    : priceUsage(price, addUsage(earlier, usage)) - priceUsage(price, earlier);
