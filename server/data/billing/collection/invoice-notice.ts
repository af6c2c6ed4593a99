import { type Sql, statement } from "../../client.ts";
import type { BillingPaymentMethod } from "./billing-payment-methods.ts";

type InvoiceNotice = {
  merchantName: string;
  /** e-mail addresses of the owners and admins */
  recipients: string[];
  /** null: the merchant has set none */
  method: BillingPaymentMethod | null;
};

const find = statement<InvoiceNotice>(
  "find_invoice_notice",
  `SELECT m.display_name AS "merchantName",
          ARRAY(SELECT a.email::text FROM merchant_member r JOIN account a ON a.id = r.account_id
                 WHERE r.merchant_id = m.id AND r.role IN ('owner', 'admin') ORDER BY 1) AS recipients,
          CASE WHEN p.merchant_id IS NOT NULL THEN
            json_build_object('processor', p.processor, 'processorRef', p.processor_ref, 'label', p.label) END AS method
     FROM merchant m LEFT JOIN billing_payment_method p ON p.merchant_id = m.id
    WHERE m.id = $1 AND NOT m.is_probe`,
);

/** Who is informed of a merchant's invoices, and how the merchant pays. @returns null for the probes' merchant. */
export const findInvoiceNotice = async (sql: Sql, merchantId: string): Promise<InvoiceNotice | null> =>
  (await sql.query(find, [merchantId]))[0] ?? null;
