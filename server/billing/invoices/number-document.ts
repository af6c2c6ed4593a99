import { takeInvoiceNumber } from "../../data/billing/invoices/write-invoice.ts";
import type { Sql } from "../../data/client.ts";
import { formatInvoiceNumber, seriesOf } from "../rules/documents/invoice-number.ts";

type Document = { environment: "production" | "sandbox"; type: "invoice" | "credit_note"; at: Date };

/**
 * Takes the next number of the year (UTC). Call it late in the transaction, because no other document of the series can
 * get a number until the transaction ends.
 */
export const numberDocument = async (sql: Sql, { environment, type, at }: Document): Promise<string> => {
  const series = seriesOf({ environment, type });
  const year = at.getUTCFullYear();
  return formatInvoiceNumber(series, year, await takeInvoiceNumber(sql, series, year));
};
