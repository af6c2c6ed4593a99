import { appendAudit } from "../../data/audit/audit.ts";
import { appendComponentDays } from "../../data/status/component-days.ts";
import { savePostmortemRow } from "../../data/status/postmortems.ts";
import { replayNotice } from "../../data/status/status-journal.ts";
import {
  restoreChanges,
  restoreHeartbeats,
  restoreIncident,
  restoreMaintenance,
} from "../../data/status/status-restoration.ts";
import { restoreSubscriber } from "../../data/status/status-subscribers.ts";
import type { Deps } from "../../deps/deps.ts";
import { probeActor } from "../rules/journal/journal-record.ts";
import type { MissingRecords } from "../rules/journal/missing-records.ts";
import { firstPreviousHash } from "../rules/uptime/days.ts";
import { removeSubscription } from "../subscriptions/remove-subscription.ts";
import { runInBatches } from "./run-in-batches.ts";

/**
 * Writes published records into a database that was restored to an earlier state. Restoring a backup therefore doesn't
 * improve any figure, send any update twice or restore an ended subscription. Idempotent.
 */
export const restoreMissingRecords = async (
  deps: Pick<Deps, "db" | "clock">,
  missing: MissingRecords,
): Promise<void> => {
  const { changes, heartbeats, days, incidents, maintenances, subscribers, ended, notices } = missing;
  const [at, requestId] = [deps.clock.now(), "status"];
  await runInBatches(deps, ended, (sql, { id }) => removeSubscription(sql, { subscriberId: id, at, requestId }));
  await runInBatches(deps, subscribers, restoreSubscriber);
  await runInBatches(deps, notices, replayNotice);
  await deps.db.transaction(async (tx) => {
    await restoreChanges(tx, changes);
    for (const incident of incidents) {
      await restoreIncident(tx, incident);
      const { id, postmortem } = incident;
      if (!postmortem?.publishedAt) continue;
      const { actions, summary, timeline, causes, publishedAt, author, updatedAt } = postmortem;
      await savePostmortemRow(tx, {
        incidentId: id,
        row: { summary, timeline, causes, publishedAt, author, updatedAt },
        actions: actions.map(({ id: actionId, title, owner, dueOn, doneAt }, index) => ({
          id: actionId,
          position: index + 1,
          title,
          owner,
          dueOn,
          doneAt,
        })),
      });
    }
    for (const maintenance of maintenances) await restoreMaintenance(tx, maintenance);
    // Written last, because a heartbeat marks the time before it as known.
    await restoreHeartbeats(tx, heartbeats);
    const counts = {
      changes: changes.length,
      days: days.length,
      incidents: incidents.length,
      maintenances: maintenances.length,
      subscribers: subscribers.length,
      ended: ended.length,
    };
    await appendAudit(tx.sql, {
      at,
      actor: { kind: "system", id: probeActor },
      requestId,
      action: "status_page.restored",
      subjectId: "-",
      data: counts,
    });
  });
  await appendComponentDays(deps.db, (lastHashes) =>
    [...Map.groupBy(days, ({ component }) => component).values()].flatMap((ofOne) => {
      const [first] = ofOne;
      return first && first.previousHash === (lastHashes.get(first.component) ?? firstPreviousHash) ? ofOne : [];
    }),
  );
};
