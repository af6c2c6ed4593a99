import { appendAudit } from "../../data/audit/audit.ts";
import {
  type BillingPaymentMethod,
  upsertPaymentMethodOfMerchant,
} from "../../data/billing/collection/billing-payment-methods.ts";
import { makeCollectionsDue } from "../../data/billing/collection/collections.ts";
import type { Sql } from "../../data/client.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import type { InvoiceActor } from "../invoices/record-invoice.ts";

type Input = InvoiceActor & { merchantId: string; method: BillingPaymentMethod; at: Date; data: JsonObject };

/**
 * Sets the card with which a merchant pays its invoices. The merchant's open invoices are then collected with this card
 * immediately, even if the previous card had a final decline.
 */
export const applyPaymentMethod = async (
  sql: Sql,
  { merchantId, method, at, data, actor, requestId }: Input,
): Promise<void> => {
  await upsertPaymentMethodOfMerchant(sql, merchantId, { ...method, at });
  await makeCollectionsDue(sql, merchantId, at);
  const action = "billing_payment_method.set";
  await appendAudit(sql, { at, actor, requestId, action, subjectId: merchantId, data });
};
