import type { JsonObject } from "../../../kernel/text/json.ts";
import { type Sql, statement } from "../../client.ts";

/**
 * The content that was frozen when an invoice was issued (`snapshot`, which never changes), and the other data that its
 * documents show.
 */
export type IssuedSnapshot = {
  snapshot: JsonObject;
  /** the number of the invoice that a credit note corrects */
  corrects: string | null;
  /** of the subscription */
  timeZone: string;
  /** null: the plan isn't in the catalogue */
  planName: string | null;
  /** For an invoice without tax details: the name and country that the merchant was approved with. */
  legalName: string;
  country: string | null;
};

const find = statement<IssuedSnapshot>(
  "find_billing_invoice_snapshot",
  `SELECT i.snapshot, c.number AS corrects, coalesce(s.time_zone, 'UTC') AS "timeZone", v.definition ->> 'name' AS "planName",
          m.legal_name AS "legalName", m.country
     FROM billing_invoice i JOIN merchant m ON m.id = i.merchant_id
     LEFT JOIN billing_invoice c ON c.id = i.corrects
     LEFT JOIN billing_subscription s ON s.id = coalesce(i.subscription_id, c.subscription_id)
     LEFT JOIN billing_plan_version v ON v.plan_id = i.plan_id AND v.version = i.plan_version
    WHERE i.id = $1 AND i.snapshot IS NOT NULL`,
);

/** @returns null for a draft. */
export const findInvoiceSnapshot = async (sql: Sql, invoiceId: string): Promise<IssuedSnapshot | null> =>
  (await sql.query(find, [invoiceId]))[0] ?? null;

const findHold = statement<{ hold: string | null }>(
  "find_billing_invoice_hold",
  `SELECT p.hold FROM billing_invoice i JOIN billing_period p ON p.subscription_id = i.subscription_id AND p."from" = i.period_from
    WHERE i.id = $1 AND i.status = 'draft' AND p.state = 'draft'`,
);

/** @returns why a due draft can't be finalized; null if the draft isn't due, or if no attempt was made yet. */
export const findInvoiceHold = async (sql: Sql, invoiceId: string): Promise<string | null> =>
  (await sql.query(findHold, [invoiceId]))[0]?.hold ?? null;

const keep = statement(
  "keep_billing_invoice_pdf_hash",
  "UPDATE billing_invoice SET pdf_sha256 = $2 WHERE id = $1 AND pdf_sha256 IS NULL",
);

/** Keeps the first hash. @param sha256 lower-case hex */
export const keepPdfHash = async (sql: Sql, invoiceId: string, sha256: string): Promise<void> => {
  await sql.query(keep, [invoiceId, sha256]);
};

const undrawn = statement<{ invoiceId: string; merchantId: string }>(
  "list_undrawn_billing_invoices",
  `SELECT id AS "invoiceId", merchant_id AS "merchantId" FROM billing_invoice
    WHERE pdf_sha256 IS NULL AND status <> 'draft' AND id <> ALL ($2::text[]) ORDER BY issued_at, id LIMIT $1::int`,
);

/** Issued invoices and credit notes without a stored hash of their PDF, oldest first. */
export const listUndrawnInvoices = (
  sql: Sql,
  { limit, except }: { limit: number; except: readonly string[] },
): Promise<{ invoiceId: string; merchantId: string }[]> => sql.query(undrawn, [limit, except]);
