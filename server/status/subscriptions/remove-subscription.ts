import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { removeSubscriber } from "../../data/status/status-subscribers.ts";

/** In the caller's transaction, with its audit entry; one that has gone before changes nothing. */
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
