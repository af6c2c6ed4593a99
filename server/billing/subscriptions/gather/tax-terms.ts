import { findTaxDetails } from "../../../data/billing/tax-details/tax-details.ts";
import type { Sql } from "../../../data/client.ts";
import { findTaxRate } from "../../catalogue/find-tax-rate.ts";
import type { InvoiceInput } from "../../rules/invoice/types.ts";
import { outOfScope } from "../../rules/plans/tax-rate.wire.ts";

/**
 * The tax of a merchant's invoices. Without tax details, an invoice is out of scope of tax; in production, such an
 * invoice isn't finalised (docs/spec/billing.md, The billing run).
 */
export const loadTaxTerms = async (sql: Sql, merchantId: string): Promise<InvoiceInput["tax"]> => {
  const region = (await findTaxDetails(sql, merchantId))?.taxRegion ?? null;
  const rate = region === null ? null : await findTaxRate(sql, region);
  return rate ? { category: rate.category, rate: rate.rate, behaviour: rate.behaviour } : outOfScope;
};
