import { listUnpaidInvoiceRows, type UnpaidInvoiceRow } from "../../../data/billing/collection/dunning-cases.ts";
import type { Deps } from "../../../deps/deps.ts";
import { suspensionAt } from "../../rules/collection/dunning.ts";

export type UnpaidInvoice = UnpaidInvoiceRow & {
  /** the time from which new charges are refused, in the future or in the past */
  suspensionAt: Date;
};

/** The number of invoices that the pages show. The list of invoices shows all. */
const maxShown = 3;

/** The merchant's unpaid invoices whose payment failed or whose due date has passed, the most urgent first. */
export const listUnpaidInvoices = async (
  { db }: Pick<Deps, "db">,
  { merchantId }: { merchantId: string },
): Promise<UnpaidInvoice[]> => {
  const rows = await listUnpaidInvoiceRows(db.sql, { merchantId, limit: maxShown });
  return rows.map((row) => ({ ...row, suspensionAt: suspensionAt(row) }));
};
