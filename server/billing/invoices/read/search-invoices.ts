import {
  type FoundInvoice,
  findListedPlace,
  type InvoiceSearch,
  type InvoiceSource,
  searchInvoicePage,
} from "../../../data/billing/invoices/invoice-search.ts";
import { findMerchantIdsByName } from "../../../data/operators/charge-search.ts";
import type { Deps } from "../../../deps/deps.ts";

type Query = Pick<InvoiceSearch, "type" | "status" | "currency" | "from" | "to" | "limit"> & {
  /** a number, an id of an invoice or merchant, or a part of a merchant's name */
  search: string | null;
  startingAfter: string | null;
};

export type InvoicesFound = {
  invoices: FoundInvoice[];
  hasMore: boolean;
  /** true if more than `maxMerchants` merchants match the name; then the invoices of some merchants aren't listed */
  isCut: boolean;
};

/** Maximum number of merchants in a search by name. */
const maxMerchants = 50;

/** Invoices and credit notes of all merchants, newest first. The result is empty for an unknown id or number. */
export const searchInvoices = async (
  { db: { sql } }: Pick<Deps, "db">,
  { search, startingAfter, limit, ...filters }: Query,
): Promise<InvoicesFound> => {
  const found: Source = search === null ? { source: { kind: "all" } } : await sourceOf(sql, search);
  const after = startingAfter === null ? null : await findListedPlace(sql, startingAfter);
  if (startingAfter !== null && !after) return { invoices: [], hasMore: false, isCut: false };
  const rows = await searchInvoicePage(sql, { ...filters, source: found.source, after, limit });
  return { invoices: rows.slice(0, limit), hasMore: rows.length > limit, isCut: found.isCut ?? false };
};

type Source = { source: InvoiceSource; isCut?: boolean };

const sourceOf = async (sql: Deps["db"]["sql"], text: string): Promise<Source> => {
  if (/^inv_\w+$/.test(text)) return { source: { kind: "id", value: text } };
  if (/^mch_\w+$/.test(text)) return { source: { kind: "merchants", ids: [text] } };
  if (/^(test-)?(inv|cn)-\d{4}-\d+$/i.test(text)) return { source: { kind: "number", value: text.toUpperCase() } };
  const ids = await findMerchantIdsByName(sql, text, maxMerchants + 1);
  return { source: { kind: "merchants", ids: ids.slice(0, maxMerchants) }, isCut: ids.length > maxMerchants };
};
