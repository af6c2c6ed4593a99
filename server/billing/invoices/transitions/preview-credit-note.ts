import { findInvoiceRow } from "../../../data/billing/invoices/invoices.ts";
import type { Deps } from "../../../deps/deps.ts";
import { invoiceNotFound } from "../get-locked-invoice.ts";
import { type CreditNoteOfLines, type CreditWanted, computeNote } from "./compute-note.ts";

/**
 * The credit note that `createCreditNote` would create now. @throws DomainError, as `createCreditNote` does.
 */
export const previewCreditNote = async (
  { db: { sql } }: Pick<Deps, "db">,
  { invoiceId, lines }: { invoiceId: string; lines: CreditWanted },
): Promise<CreditNoteOfLines> => {
  const invoice = await findInvoiceRow(sql, invoiceId);
  if (!invoice) throw invoiceNotFound();
  return computeNote(sql, invoice, lines);
};
