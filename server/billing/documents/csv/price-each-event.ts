import type { Exact } from "../../rules/exact/exact.ts";
import { priceAfter } from "../../rules/invoice/shared-usage.ts";
import { type MeterUsage, noUsage, type Price } from "../../rules/plans/terms.ts";
import { priceUsage } from "../../rules/prices/price-steps.ts";
import { refundedFee } from "../../rules/prices/refunded-fee.ts";

/**
 * `amountMinor`: amount of the charge or refund; null for other meters. `capturedMinor`: for a refund, the captured
 * amount of its charge.
 */
export type PricedEvent = { quantity: bigint; amountMinor: bigint | null; capturedMinor?: bigint };

/**
 * @param of.usage the usage of the period in which the charges were captured
 * @param of.earlier the usage of the earlier parts of this period
 */
export const priceEachRefund = (
  price: Price,
  { usage, earlier }: { usage: MeterUsage; earlier: MeterUsage | null },
): ((event: PricedEvent) => Exact) => {
  const fee = priceAfter(price, usage, earlier);
  return ({ amountMinor, capturedMinor }) =>
    refundedFee(price, { capturedMinor: capturedMinor ?? 0n, refundedMinor: amountMinor ?? 0n, usage, fee });
};

/**
 * Prices events one by one. The price of an event is the amount by which the event increases the total price. So the
 * prices sum to the price of all events. With volume prices, an event that reaches a cheaper tier can have a negative
 * price.
 * @param before the usage that was priced earlier: the usage of earlier parts of the period and, for late events, the
 *   usage that was billed in time. It can have a price even if its quantity is 0. Null if nothing was priced earlier.
 */
export const priceEachEvent = (price: Price, before: MeterUsage | null = null): ((event: PricedEvent) => Exact) => {
  let { quantity } = before ?? noUsage;
  let amountMinor = (before ?? noUsage).amounts.reduce((sum, one) => sum + one.amountMinor * one.count, 0n);
  let priced = before === null ? 0n : priceUsage(price, before);
  return (event) => {
    // With basis points, each charge has its own fee.
    if (price.model === "basis_points") {
      return priceUsage(price, { quantity: 1n, amounts: [{ amountMinor: event.amountMinor ?? 0n, count: 1n }] });
    }
    quantity += event.quantity;
    amountMinor += event.amountMinor ?? 0n;
    const all = priceUsage(price, { quantity, amounts: [{ amountMinor, count: 1n }] });
    const part = all - priced;
    priced = all;
    return part;
  };
};
