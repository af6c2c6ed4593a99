import { type Sql, statement } from "../../client.ts";

/** The card with which a merchant pays its invoices. */
export type BillingPaymentMethod = { processor: string; processorRef: string; label: string };

const find = statement<BillingPaymentMethod>(
  "find_billing_payment_method",
  `SELECT processor, processor_ref AS "processorRef", label FROM billing_payment_method WHERE merchant_id = $1`,
);

export const findPaymentMethodOfMerchant = async (sql: Sql, merchantId: string): Promise<BillingPaymentMethod | null> =>
  (await sql.query(find, [merchantId]))[0] ?? null;

const upsert = statement<never>(
  "set_billing_payment_method",
  `INSERT INTO billing_payment_method (merchant_id, processor, processor_ref, label, set_at)
   VALUES ($1, $2, $3, $4, $5::timestamptz)
   ON CONFLICT (merchant_id) DO UPDATE SET processor = excluded.processor, processor_ref = excluded.processor_ref,
     label = excluded.label, set_at = excluded.set_at`,
);

export const upsertPaymentMethodOfMerchant = async (
  sql: Sql,
  merchantId: string,
  { processor, processorRef, label, at }: BillingPaymentMethod & { at: Date },
): Promise<void> => {
  await sql.query(upsert, [merchantId, processor, processorRef, label, at]);
};
