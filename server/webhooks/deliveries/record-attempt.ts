import {
  type AttemptOutcome,
  type ClaimedDelivery,
  recordDelivered,
  recordFailed,
} from "../../data/webhooks/webhook-attempts.ts";
import { lockWebhookEndpoint, markWebhookSuccess } from "../../data/webhooks/webhook-endpoints.ts";
import type { Deps } from "../../deps/deps.ts";
import { turnOffEndpoint } from "../endpoints/turn-off-endpoint.ts";
import { nextAttemptAt } from "../rules/schedule.ts";

/** Standard Webhooks: whoever answers so wants nothing more. */
const gone = 410;

/** Any status from 200 to 299 says that the event has arrived; a redirect does not, and is not followed. */
const hasArrived = ({ status }: AttemptOutcome): boolean => status !== null && status >= 200 && status < 300;

/**
 * Writes what became of a try, and when the next one is. After the last of them the endpoint goes off, unless something
 * arrived there since this delivery's first try; and at once where its receiver says that it is gone. Locks: the endpoint
 * before its deliveries.
 */
export const recordAttempt = async (deps: Deps, delivery: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> => {
  if (hasArrived(outcome)) {
    await recordDelivered(deps.db.sql, delivery, outcome);
    await markWebhookSuccess(deps.db.sql, delivery.endpointId, outcome.endedAt);
    return;
  }
  const scheduled = nextAttemptAt(delivery.number, outcome.endedAt, outcome.retryAfter);
  const saysGone = outcome.status === gone;
  await deps.db.sqlTransaction(async (sql) => {
    const endpoint = saysGone || scheduled === null ? await lockWebhookEndpoint(sql, delivery.endpointId) : null;
    // Of an address that it has left meanwhile nothing else was to be expected.
    const isGone = saysGone && endpoint?.url === delivery.url;
    const next = isGone ? null : scheduled;
    const triedAt = await recordFailed(sql, delivery, { outcome, nextAttemptAt: next });
    if (next !== null || !endpoint || !triedAt || endpoint.disabledAt !== null) return;
    const hasWorked = endpoint.succeededAt !== null && endpoint.succeededAt >= triedAt;
    if (hasWorked && !isGone) return;
    const reason = isGone ? "gone" : "failing";
    await turnOffEndpoint(deps, sql, { endpoint, reason, deliveryId: delivery.id, at: outcome.endedAt });
  });
};
