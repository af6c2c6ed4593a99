import {
  findInvoicePlace,
  findInvoiceRows,
  type InvoiceFilter,
  type InvoiceRow,
} from "../../../data/billing/invoices/invoices.ts";
import type { Deps } from "../../../deps/deps.ts";
import { cutPage, findPage, type PageRequest } from "../../../kernel/pagination.ts";

/** A merchant's invoices and credit notes, newest first. Another merchant's id isn't a valid cursor. */
export const listInvoices = async (
  { db: { sql } }: Pick<Deps, "db">,
  { limit, startingAfter, endingBefore, ...filter }: InvoiceFilter & PageRequest,
): Promise<{ invoices: InvoiceRow[]; hasMore: boolean }> => {
  const { merchantId } = filter;
  const request = { limit, startingAfter, endingBefore };
  const page = await findPage(request, "invoice", (id) => findInvoicePlace(sql, merchantId, id));
  const { rows, hasMore } = cutPage(await findInvoiceRows(sql, { ...filter, page }), page);
  return { invoices: rows, hasMore };
};
