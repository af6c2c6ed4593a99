import { type Sql, statement } from "../../client.ts";
import { numberParameters, type Parameter } from "../../parameters.ts";

type BillingPaymentState = "pending" | "succeeded" | "declined" | "not_submitted";

/** An attempt to collect an invoice. */
export type BillingPaymentRow = {
  /** the processor's idempotency key */
  id: string;
  invoiceId: string;
  merchantId: string;
  amount: bigint;
  currency: string;
  processor: string;
  processorAccount: string;
  paymentMethodRef: string;
  paymentMethodLabel: string;
  state: BillingPaymentState;
  processorRef: string | null;
  declineCode: string | null;
  isRetryable: boolean | null;
  createdAt: Date;
  settledAt: Date | null;
  /** real time */
  startedAt: Date;
  lookups: number;
  notFoundAt: Date | null;
};

const columns = `p.id, p.invoice_id AS "invoiceId", p.merchant_id AS "merchantId", p.amount, p.currency, p.processor,
  p.processor_account AS "processorAccount", p.payment_method_ref AS "paymentMethodRef", p.payment_method_label AS "paymentMethodLabel",
  p.state, p.processor_ref AS "processorRef", p.decline_code AS "declineCode", p.is_retryable AS "isRetryable",
  p.created_at AS "createdAt", p.settled_at AS "settledAt", p.started_at AS "startedAt", p.lookups, p.not_found_at AS "notFoundAt"`;

const parameters: readonly Parameter<BillingPaymentRow>[] = [
  ["id", ({ id }) => id],
  ["invoice_id", ({ invoiceId }) => invoiceId],
  ["merchant_id", ({ merchantId }) => merchantId],
  ["amount", ({ amount }) => amount, "bigint"],
  ["currency", ({ currency }) => currency],
  ["processor", ({ processor }) => processor],
  ["processor_account", ({ processorAccount }) => processorAccount],
  ["payment_method_ref", ({ paymentMethodRef }) => paymentMethodRef],
  ["payment_method_label", ({ paymentMethodLabel }) => paymentMethodLabel],
  ["created_at", ({ createdAt }) => createdAt, "timestamptz"],
  ["started_at", ({ startedAt }) => startedAt, "timestamptz"],
];
const written = numberParameters(parameters);
const insert = statement<never>(
  "insert_billing_payment",
  `INSERT INTO billing_payment (${written.names}) VALUES (${written.placeholders})`,
);

/** @throws a unique violation if another attempt of the invoice is unresolved. */
export const insertBillingPayment = async (sql: Sql, payment: BillingPaymentRow): Promise<void> => {
  await sql.query(insert, written.valuesOf(payment));
};

const unresolved = statement<BillingPaymentRow>(
  "find_unresolved_billing_payment",
  `SELECT ${columns} FROM billing_payment p WHERE p.invoice_id = $1 AND p.state = 'pending'`,
);

export const findUnresolvedPayment = async (sql: Sql, invoiceId: string): Promise<BillingPaymentRow | null> =>
  (await sql.query(unresolved, [invoiceId]))[0] ?? null;

const ofInvoice = statement<BillingPaymentRow>(
  "list_billing_payments_of_invoice",
  `SELECT ${columns} FROM billing_payment p WHERE p.invoice_id = $1 ORDER BY p.created_at DESC, p.id DESC LIMIT $2::int`,
);

/** The newest attempts of an invoice, newest first. An unresolved attempt is always the newest. */
export const listPaymentsOfInvoice = (sql: Sql, invoiceId: string, limit: number): Promise<BillingPaymentRow[]> =>
  sql.query(ofInvoice, [invoiceId, limit]);

const settle = statement<{ id: string }>(
  "settle_billing_payment",
  `UPDATE billing_payment SET state = $2, processor_ref = $3, decline_code = $4, is_retryable = $5::boolean, settled_at = $6::timestamptz
   WHERE id = $1 AND state = 'pending' RETURNING id`,
);

export type PaymentSettlement = {
  state: Exclude<BillingPaymentState, "pending">;
  processorRef: string | null;
  declineCode?: string;
  isRetryable?: boolean;
  at: Date;
};

/** @returns false if the payment is already settled. */
export const settleBillingPayment = async (sql: Sql, id: string, settlement: PaymentSettlement): Promise<boolean> => {
  const { state, processorRef, declineCode = null, isRetryable = null, at } = settlement;
  return (await sql.query(settle, [id, state, processorRef, declineCode, isRetryable, at])).length > 0;
};

const record = statement<never>(
  "record_billing_payment_lookup",
  `UPDATE billing_payment SET lookups = lookups + 1, not_found_at = $2::timestamptz, processor_ref = coalesce($3, processor_ref)
   WHERE id = $1 AND state = 'pending'`,
);

/** Records a look-up that didn't find the outcome. */
export const recordPaymentLookup = async (
  sql: Sql,
  id: string,
  { notFoundAt, processorRef }: { notFoundAt: Date | null; processorRef: string | null },
): Promise<void> => {
  await sql.query(record, [id, notFoundAt, processorRef]);
};

const findOne = statement<BillingPaymentRow>(
  "find_billing_payment",
  `SELECT ${columns} FROM billing_payment p WHERE p.id = $1`,
);

export const findBillingPayment = async (sql: Sql, id: string): Promise<BillingPaymentRow | null> =>
  (await sql.query(findOne, [id]))[0] ?? null;
