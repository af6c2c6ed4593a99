import { listSupplyTaxes } from "../../../data/billing/subscriptions/supplies.ts";
import type { Sql } from "../../../data/client.ts";
import { parseExact } from "../../rules/exact/exact.ts";
import type { SupplyTax } from "../../rules/invoice/types.ts";

/**
 * The tax with which the periods that start at these times were billed. A period without a final invoice has none: its
 * late usage has the tax of the invoice that bills it.
 */
export const loadSupplyTaxes = async (sql: Sql, subscriptionId: string, periodsFrom: readonly Date[]) => {
  const taxes = await listSupplyTaxes(sql, subscriptionId, periodsFrom);
  return (period: { from: Date }, currency: string): { tax?: SupplyTax } => {
    const found = taxes.find((one) => one.currency === currency && one.periodFrom.getTime() === period.from.getTime());
    if (!found) return {};
    const { category, rate, behaviour } = found;
    return { tax: { category, rate: parseExact(rate), behaviour } };
  };
};
