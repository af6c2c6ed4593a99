import { appendAudit } from "../../data/audit/audit.ts";
import { findBillingStanding, setBillingSuspended } from "../../data/billing/collection/collections.ts";
import { lockSubscriptionOf, updateSubscription } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import { lockMerchant } from "../../data/merchants/merchants.ts";
import type { InvoiceActor } from "../invoices/record-invoice.ts";
import { recordSubscription } from "../subscriptions/record-subscription.ts";

/** Call it before you lock the invoice, because the billing run also locks the subscription before its invoices. */
export const lockStanding = async (sql: Sql, merchantId: string): Promise<void> => {
  await lockMerchant(sql, merchantId);
  await lockSubscriptionOf(sql, merchantId);
};

type Input = InvoiceActor & { merchantId: string; at: Date };

/**
 * Updates the status of a merchant's subscription, and whether new charges are refused, according to the merchant's
 * unpaid invoices. Call it after each collection step, in the same transaction, after `lockStanding`.
 */
export const refreshBillingStanding = async (sql: Sql, { merchantId, at, actor, requestId }: Input): Promise<void> => {
  const standing = await findBillingStanding(sql, merchantId);
  const suspendedAt = standing === "suspended" ? at : null;
  if (await setBillingSuspended(sql, merchantId, suspendedAt)) {
    const action = suspendedAt ? "merchant.billing_suspended" : "merchant.billing_resumed";
    await appendAudit(sql, { at, actor, requestId, action, subjectId: merchantId, data: {} });
  }
  const row = await lockSubscriptionOf(sql, merchantId);
  if (!row || row.status === standing) return;
  const updated = { ...row, status: standing };
  await updateSubscription(sql, updated);
  const data = { status: standing };
  await recordSubscription(sql, {
    row: updated,
    at,
    actor,
    requestId,
    action: `subscription.${standing}`,
    data,
  });
};
