import { listSupplyTaxes } from "../../../data/billing/subscriptions/supplies.ts";
import { findTaxDetails } from "../../../data/billing/tax-details/tax-details.ts";
import type { Sql } from "../../../data/client.ts";
import { findTaxRate } from "../../catalogue/find-tax-rate.ts";
import { parseExact } from "../../rules/exact/exact.ts";
import type { InvoiceInput, SupplyTax } from "../../rules/invoice/types.ts";
import { outOfScope } from "../../rules/plans/tax-rate.wire.ts";

/**
 * The tax of a merchant's invoices. Without tax details, an invoice is out of scope of tax. In production, such an
 * invoice isn't finalized (docs/spec/billing.md, The billing run).
 */
export const loadTaxTerms = async (sql: Sql, merchantId: string): Promise<InvoiceInput["tax"]> => {
  const region = (await findTaxDetails(sql, merchantId))?.taxRegion ?? null;
  const rate = region === null ? null : await findTaxRate(sql, region);
  return rate ? { category: rate.category, rate: rate.rate, behaviour: rate.behaviour } : outOfScope;
};

/**
 * The tax with which the periods that start at these times were billed. For a period without a final invoice, there is
 * no such tax. Its late usage has the tax of the invoice that bills the usage.
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
