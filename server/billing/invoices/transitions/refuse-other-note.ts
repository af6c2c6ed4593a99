import type { InvoiceRow } from "../../../data/billing/invoices/invoices.ts";
import { findInvoiceLineRows } from "../../../data/billing/invoices/lines.ts";
import type { Sql } from "../../../data/client.ts";
import { DomainError } from "../../../kernel/errors.ts";
import type { CreditWanted } from "./compute-note.ts";

type Wanted = { lines: CreditWanted; reason: string };

/**
 * Refuses a repeated request for a credit note if it differs from the first request. With `all`, the credited amounts
 * depend on the time of the request, so only the reason is compared.
 * @throws DomainError conflict credit_note_conflict.
 */
export const refuseOtherNote = async (sql: Sql, note: InvoiceRow, { lines, reason }: Wanted): Promise<void> => {
  if (note.reason !== reason) throw keyConflict();
  if (lines === "all") return;
  const credited = new Map((await findInvoiceLineRows(sql, note.id)).map(({ corrects, amount }) => [corrects, amount]));
  const isSame =
    credited.size === lines.length && lines.every(({ lineId, amountMinor }) => credited.get(lineId) === amountMinor);
  if (!isSame) throw keyConflict();
};

const keyConflict = () =>
  new DomainError("conflict", {
    code: "credit_note_conflict",
    message: "A different credit note was already created with this key. Use a new key.",
    errors: [{ pointer: "/key", detail: "was used for another credit note" }],
  });
