import { findTaxRateRow } from "../../data/billing/catalogue/tax-rates.ts";
import type { Sql } from "../../data/client.ts";
import type { InvoiceInput } from "../rules/invoice/types.ts";
import { type TaxRateDefinition, toTaxTerms } from "../rules/plans/tax-rate.wire.ts";

/** The newest version of a tax rate. Only this version applies. Null if the catalogue has no such key. */
export const findTaxRate = async (
  sql: Sql,
  key: string,
): Promise<(InvoiceInput["tax"] & { key: string; version: number }) | null> => {
  const row = await findTaxRateRow(sql, key);
  return row && { ...toTaxTerms(row.definition as TaxRateDefinition), key: row.key, version: row.version };
};
