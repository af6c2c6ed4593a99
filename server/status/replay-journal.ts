import { appendAudit } from "../data/audit.ts";
import type { Sql } from "../data/client.ts";
import {
  replayAlert,
  replayAlertEnd,
  replayChange,
  replayHeartbeat,
  replayIncident,
  replayIncidentComponents,
  replayIncidentUpdate,
  replayNotice,
} from "../data/status-journal.ts";
import type { Deps } from "../deps.ts";
import { type JournalRecord, type OpenedIncident, probeActor, type UpdatedIncident } from "./rules/journal-record.ts";

/** Few enough for one transaction. */
const batchSize = 500;
const requestId = "status";
const actor = { kind: "system", id: probeActor } as const;

/** Brings the journal's records into the database, in their order. Doing it again changes nothing. */
export const replayJournal = async (
  { db }: Pick<Deps, "db">,
  { records }: { records: readonly JournalRecord[] },
): Promise<void> => {
  for (let start = 0; start < records.length; start += batchSize) {
    await db.sqlTransaction(async (sql) => {
      for (const record of records.slice(start, start + batchSize)) await replay(sql, record);
    });
  }
};

const replay = async (sql: Sql, record: JournalRecord): Promise<void> => {
  switch (record.kind) {
    case "change":
      return replayChange(sql, record);
    case "heartbeat":
      return replayHeartbeat(sql, record);
    case "incident_opened":
      return openIncident(sql, record);
    case "incident_updated":
      return updateIncident(sql, record);
    case "notice": {
      const { subscriberId, updateId, at, attempts, outcome, problem } = record;
      return replayNotice(sql, {
        ...{ subscriberId, updateId, attempts, problem, createdAt: at },
        sentAt: outcome === "sent" ? at : null,
        givenUpAt: outcome === "given_up" ? at : null,
      });
    }
    case "alert_started": {
      const { id, component, rule, burnRate, at } = record;
      if (!(await replayAlert(sql, { id, component, rule, burnRate, startedAt: at }))) return;
      return appendAudit(sql, {
        ...{ at, actor, action: "status_alert.started", subjectId: id, requestId, data: { component, rule } },
      });
    }
    case "alert_ended": {
      if (!(await replayAlertEnd(sql, record))) return;
      return appendAudit(sql, {
        ...{ at: record.at, actor, action: "status_alert.ended", subjectId: record.alertId, requestId },
      });
    }
  }
};

const openIncident = async (sql: Sql, record: OpenedIncident): Promise<void> => {
  const { id, title, impact, isDraft, startedAt, at, components, updateId, text } = record;
  const state = isDraft ? "draft" : "investigating";
  const publicAt = isDraft ? null : at;
  const isNew = await replayIncident(sql, {
    ...{ id, title, state, impact, openedBy: probeActor, startedAt, publicAt, createdAt: at },
  });
  if (!isNew) return;
  await replayIncidentUpdate(sql, { id: updateId, incidentId: id, state: null, text, actor: probeActor, at });
  await replayIncidentComponents(sql, id, components);
  await appendAudit(sql, { at, actor, action: "incident.opened", subjectId: id, requestId, data: { state } });
};

const updateIncident = async (sql: Sql, record: UpdatedIncident): Promise<void> => {
  const { id, incidentId, text, at, components } = record;
  const isAdded = await replayIncidentUpdate(sql, {
    ...{ id, incidentId, state: record.state, text, actor: probeActor, at },
  });
  if (!isAdded) return;
  await replayIncidentComponents(sql, incidentId, components);
  await appendAudit(sql, {
    at,
    actor,
    action: "incident.updated",
    subjectId: incidentId,
    requestId,
    data: { update: id },
  });
};
