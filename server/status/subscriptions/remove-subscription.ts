import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { removeSubscriber } from "../../data/status/status-subscribers.ts";

/** Removes a subscriber with an audit entry, in the caller's transaction. Idempotent. */
export const removeSubscription = async (
  sql: Sql,
  { subscriberId, at, requestId }: { subscriberId: string; at: Date; requestId: string },
): Promise<void> => {
  if (!(await removeSubscriber(sql, subscriberId))) return;
  await appendAudit(sql, {
    at,
    actor: { kind: "anonymous", id: "-" },
    subjectId: subscriberId,
    requestId,
    action: "status_subscription.ended",
    data: {},
  });
};
