import {
  type AttemptOutcome,
  type ClaimedDelivery,
  recordDelivered,
  recordFailed,
} from "../../data/webhooks/webhook-attempts.ts";
import { lockWebhookEndpoint, markWebhookSuccess } from "../../data/webhooks/webhook-endpoints.ts";
import type { Deps } from "../../deps/deps.ts";
import { disableEndpoint } from "../endpoints/disable-endpoint.ts";
import { nextAttemptAt } from "../rules/schedule.ts";

/** Standard Webhooks: a receiver that wants no further events returns this status. */
const goneStatus = 410;

/** Any status from 200 to 299 means success. A redirect is a failure and isn't followed. */
const hasArrived = ({ status }: AttemptOutcome): boolean => status !== null && status >= 200 && status < 300;

/**
 * Records the outcome of an attempt and the time of the next one. After the last attempt the endpoint is disabled,
 * unless another delivery succeeded there since this delivery's first attempt. The endpoint is disabled immediately if
 * its receiver returns 410. Locks the endpoint before its deliveries.
 */
export const recordAttempt = async (deps: Deps, delivery: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> => {
  if (hasArrived(outcome)) {
    await recordDelivered(deps.db.sql, delivery, { outcome, businessAt: await deps.businessClock.now() });
    await markWebhookSuccess(deps.db.sql, delivery.endpointId, outcome.endedAt);
    return;
  }
  const scheduled = nextAttemptAt(delivery.number, outcome.endedAt, outcome.retryAfter);
  const hasGoneStatus = outcome.status === goneStatus;
  await deps.db.sqlTransaction(async (sql) => {
    const endpoint = hasGoneStatus || scheduled === null ? await lockWebhookEndpoint(sql, delivery.endpointId) : null;
    // A 410 from a URL that the endpoint no longer uses is expected, and doesn't disable it.
    const isGone = hasGoneStatus && endpoint?.url === delivery.url;
    const next = isGone ? null : scheduled;
    const triedAt = await recordFailed(sql, delivery, { outcome, nextAttemptAt: next });
    if (next !== null || !endpoint || !triedAt || endpoint.disabledAt !== null) return;
    const hasWorked = endpoint.succeededAt !== null && endpoint.succeededAt >= triedAt;
    if (hasWorked && !isGone) return;
    const reason = isGone ? "gone" : "failing";
    await disableEndpoint(deps, sql, { endpoint, reason, deliveryId: delivery.id, at: outcome.endedAt });
  });
};
