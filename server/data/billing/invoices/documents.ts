import type { JsonObject } from "../../../kernel/text/json.ts";
import { type Sql, statement } from "../../client.ts";

/**
 * The content that was frozen when an invoice was issued. `corrects`: the number of the invoice that a credit note
 * corrects.
 */
export type IssuedSnapshot = { snapshot: JsonObject; corrects: string | null };

const find = statement<IssuedSnapshot>(
  "find_billing_invoice_snapshot",
  `SELECT i.snapshot, c.number AS corrects FROM billing_invoice i LEFT JOIN billing_invoice c ON c.id = i.corrects
    WHERE i.id = $1 AND i.snapshot IS NOT NULL`,
);

/** @returns null for a draft. */
export const findInvoiceSnapshot = async (sql: Sql, invoiceId: string): Promise<IssuedSnapshot | null> =>
  (await sql.query(find, [invoiceId]))[0] ?? null;

const keep = statement(
  "keep_billing_invoice_pdf_hash",
  "UPDATE billing_invoice SET pdf_sha256 = $2 WHERE id = $1 AND pdf_sha256 IS NULL",
);

/** Keeps the first hash. @param sha256 lower-case hex */
export const keepPdfHash = async (sql: Sql, invoiceId: string, sha256: string): Promise<void> => {
  await sql.query(keep, [invoiceId, sha256]);
};
