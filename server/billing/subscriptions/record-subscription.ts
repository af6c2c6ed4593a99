import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { SubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import { appendAuditedEvents } from "../../data/webhooks/events.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { shownStatus } from "./subscription-view.ts";

export type By = { actor: Actor; requestId: string };

/** The actor of changes that take effect at a scheduled time. */
export const billingRun: By = { actor: { kind: "system", id: "billing_run" }, requestId: "billing_run" };

type Recorded = By & { row: SubscriptionRow; at: Date; action: string; data: JsonObject };

/**
 * Writes the audit entry and the event of a change. Call it in the transaction that changes the subscription and has
 * locked its row. If a request ends the subscription immediately, the request and the billing run each write an audit
 * entry, but only the billing run writes an event.
 * @param of.row the subscription after the change
 */
export const recordSubscription = (sql: Sql, of: Recorded): Promise<void> => {
  const { row, at, actor, requestId, action, data } = of;
  const entry = { at, actor, requestId, action, subjectId: row.merchantId, data: { subscription_id: row.id, ...data } };
  // In this transaction, the billing run has already recorded the end of the subscription and its event.
  if (row.endedAt !== null && action === "subscription.changed") return appendAudit(sql, entry);
  const event = { types: ["subscription.updated"], objectId: row.id, data: toEventData(row, at), at } as const;
  return appendAuditedEvents(sql, event, entry);
};

const toEventData = (row: SubscriptionRow, at: Date): JsonObject => ({
  subscription_id: row.id,
  merchant_id: row.merchantId,
  plan: { id: row.planId, version: row.planVersion },
  status: shownStatus(row, at),
  cancel_at: row.cancelAt?.toISOString() ?? null,
  pending_change:
    row.pendingPlanId === null || row.pendingPlanVersion === null || row.pendingAt === null
      ? null
      : {
          plan: { id: row.pendingPlanId, version: row.pendingPlanVersion },
          effective_at: row.pendingAt.toISOString(),
        },
});
