import { type Sql, statement } from "../../client.ts";
import type { CollectionRow } from "./collections.ts";
import type { BillingPaymentRow } from "./payments.ts";

/** An open invoice whose payment failed or whose due date has passed. */
export type DunningCaseRow = Omit<CollectionRow, "dueAt"> & {
  number: string | null;
  merchantName: string;
  currency: string;
  amountDue: bigint;
  invoiceDueAt: Date;
  /** an attempt whose outcome isn't known yet */
  pendingPaymentId: string | null;
};

const cases = statement<DunningCaseRow>(
  "list_dunning_cases",
  `SELECT c.invoice_id AS "invoiceId", c.merchant_id AS "merchantId", c.attempt_at AS "attemptAt", c.hold, c.failures,
          c.first_failed_at AS "firstFailedAt", c.overdue_at AS "overdueAt", c.suspended_at AS "suspendedAt", i.number,
          m.display_name AS "merchantName", i.currency, i.amount_due AS "amountDue", i.due_at AS "invoiceDueAt",
          (SELECT p.id FROM billing_payment p WHERE p.invoice_id = c.invoice_id AND p.state = 'pending') AS "pendingPaymentId"
     FROM billing_collection c JOIN billing_invoice i ON i.id = c.invoice_id JOIN merchant m ON m.id = c.merchant_id
    WHERE c.closed_at IS NULL AND (c.first_failed_at IS NOT NULL OR c.overdue_at IS NOT NULL)
      AND ($1::text IS NULL OR (least(c.first_failed_at, c.overdue_at), c.invoice_id) >
        (SELECT least(a.first_failed_at, a.overdue_at), a.invoice_id FROM billing_collection a WHERE a.invoice_id = $1))
    ORDER BY least(c.first_failed_at, c.overdue_at), c.invoice_id LIMIT $2::int`,
);

/** The oldest case first. */
export const listDunningCases = (
  sql: Sql,
  { startingAfter, limit }: { startingAfter: string | null; limit: number },
): Promise<DunningCaseRow[]> => sql.query(cases, [startingAfter, limit + 1]);

export type UnpaidInvoiceRow = Pick<
  DunningCaseRow,
  "invoiceId" | "number" | "currency" | "amountDue" | "invoiceDueAt" | "firstFailedAt" | "overdueAt" | "suspendedAt"
>;

const unpaid = statement<UnpaidInvoiceRow>(
  "list_unpaid_invoices_of_merchant",
  `SELECT c.invoice_id AS "invoiceId", i.number, i.currency, i.amount_due AS "amountDue", i.due_at AS "invoiceDueAt",
          c.first_failed_at AS "firstFailedAt", c.overdue_at AS "overdueAt", c.suspended_at AS "suspendedAt"
     FROM billing_collection c JOIN billing_invoice i ON i.id = c.invoice_id
    WHERE c.merchant_id = $1 AND (c.first_failed_at IS NOT NULL OR c.overdue_at IS NOT NULL)
      AND i.status IN ('open', 'uncollectible')
    ORDER BY c.suspended_at NULLS LAST, i.due_at, c.invoice_id LIMIT $2::int`,
);

/** The unpaid invoices that affect the merchant's standing: those that stop new charges first, then by due date. */
export const listUnpaidInvoiceRows = (
  sql: Sql,
  { merchantId, limit }: { merchantId: string; limit: number },
): Promise<UnpaidInvoiceRow[]> => sql.query(unpaid, [merchantId, limit]);

export type UnresolvedPaymentRow = Pick<
  BillingPaymentRow,
  | "id"
  | "invoiceId"
  | "merchantId"
  | "amount"
  | "currency"
  | "processor"
  | "processorAccount"
  | "processorRef"
  | "startedAt"
  | "lookups"
> & { number: string | null; merchantName: string };

const unresolved = statement<UnresolvedPaymentRow>(
  "list_unresolved_billing_payments",
  `SELECT p.id, p.invoice_id AS "invoiceId", p.merchant_id AS "merchantId", p.amount, p.currency, p.processor,
          p.processor_account AS "processorAccount", p.processor_ref AS "processorRef", p.started_at AS "startedAt", p.lookups,
          i.number, m.display_name AS "merchantName"
     FROM billing_payment p JOIN billing_invoice i ON i.id = p.invoice_id JOIN merchant m ON m.id = p.merchant_id
    WHERE p.state = 'pending' AND p.started_at <= $1::timestamptz
      AND ($2::text IS NULL OR (p.started_at, p.id) > (SELECT a.started_at, a.id FROM billing_payment a WHERE a.id = $2))
    ORDER BY p.started_at, p.id LIMIT $3::int`,
);

/** Attempts that were started at or before this real time and whose outcome isn't known, oldest first. */
export const listUnresolvedPayments = (
  sql: Sql,
  { startedUntil, startingAfter, limit }: { startedUntil: Date; startingAfter: string | null; limit: number },
): Promise<UnresolvedPaymentRow[]> => sql.query(unresolved, [startedUntil, startingAfter, limit + 1]);
