import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { listOperatorEmails } from "../../data/operators/operators.ts";
import {
  replayAlert,
  replayAlertEnd,
  replayChange,
  replayHeartbeat,
  replayIncident,
  replayIncidentComponents,
  replayIncidentUpdate,
  replayNotice,
} from "../../data/status/status-journal.ts";
import type { Deps } from "../../deps/deps.ts";
import { queueMailToAll } from "../../platform/mail/queue-mail-to-all.ts";
import { alertMail, alertMailKey, mailedAlertKeys, recipientDigest } from "../alerts/alert-mail.ts";
import type { AlertRule, Notice } from "../rules/board.ts";
import {
  type JournalRecord,
  type NoticeRecord,
  type OpenedIncident,
  probeActor,
  type UpdatedIncident,
} from "../rules/journal/journal-record.ts";
import { removeSubscription } from "../subscriptions/remove-subscription.ts";
import { runInBatches } from "./run-in-batches.ts";

const requestId = "status";
const actor = { kind: "system", id: probeActor } as const;

type ReplayDeps = Pick<Deps, "db" | "config" | "clock">;

/** Writes the journal's records to the database, in order. Idempotent. */
export const replayJournal = async (
  deps: ReplayDeps,
  { records }: { records: readonly JournalRecord[] },
): Promise<void> => {
  const mailed = mailedAlertKeys(records);
  await runInBatches(deps, records, (sql, record) => replay(deps, sql, { record, mailed }));
};

/** `mailed`: keys of alert mails that were sent without the database. */
type Replay = { record: JournalRecord; mailed: ReadonlySet<string> };

const replay = async (deps: ReplayDeps, sql: Sql, { record, mailed }: Replay): Promise<void> => {
  switch (record.kind) {
    case "change":
      return replayChange(sql, record);
    case "heartbeat":
      return replayHeartbeat(sql, record);
    case "incident_opened":
      return openIncident(sql, record);
    case "incident_updated":
      return updateIncident(sql, record);
    case "notice":
      return replayNotice(sql, toNotice(record));
    case "subscriber_ended":
      return removeSubscription(sql, record);
    case "alert_started": {
      const { id, component, rule, burnRate, at } = record;
      if (!(await replayAlert(sql, { id, component, rule, burnRate, startedAt: at }))) return;
      return queueAlertMail(deps, sql, { alertId: id, component, rule, burnRate, at, recordId: id, mailed });
    }
    case "alert_ended": {
      const { alertId, at } = record;
      const alert = await replayAlertEnd(sql, record);
      if (alert)
        await queueAlertMail(deps, sql, { alertId, ...alert, burnRate: null, at, recordId: record.id, mailed });
      return;
    }
    case "alert_mailed":
      return;
  }
};

type AlertMailing = {
  alertId: string;
  component: string;
  rule: AlertRule;
  burnRate: number | null;
  at: Date;
  recordId: string;
  mailed: ReadonlySet<string>;
};

/** One mail to every operator when an alert starts, and one when it ends. */
const queueAlertMail = async (deps: ReplayDeps, sql: Sql, alert: AlertMailing): Promise<void> => {
  const { alertId, component, rule, burnRate, at, recordId, mailed } = alert;
  const action = burnRate === null ? "status_alert.ended" : "status_alert.started";
  await appendAudit(sql, { at, actor, action, subjectId: alertId, requestId, data: { component, rule } });
  const content = alertMail(alert, deps.config.statusUrl);
  const operators = await listOperatorEmails(sql);
  const recipients = operators.filter((email) => !mailed.has(alertMailKey(recordId, recipientDigest(email))));
  await queueMailToAll(deps, sql, { recipients, content, requestId });
};

const openIncident = async (sql: Sql, record: OpenedIncident): Promise<void> => {
  const { id, title, impact, isDraft, startedAt, at, components, updateId, text } = record;
  const state = isDraft ? "draft" : "investigating";
  const publicAt = isDraft ? null : at;
  const isNew = await replayIncident(sql, {
    id,
    title,
    state,
    impact,
    openedBy: probeActor,
    startedAt,
    publicAt,
    createdAt: at,
  });
  if (!isNew) return;
  await replayIncidentUpdate(sql, { id: updateId, incidentId: id, state: null, text, actor: probeActor, at });
  await replayIncidentComponents(sql, id, components);
  await appendAudit(sql, { at, actor, action: "incident.opened", subjectId: id, requestId, data: { state } });
};

const updateIncident = async (sql: Sql, record: UpdatedIncident): Promise<void> => {
  const { id, incidentId, text, at, components } = record;
  const isAdded = await replayIncidentUpdate(sql, {
    id,
    incidentId,
    state: record.state,
    text,
    actor: probeActor,
    at,
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

const toNotice = (record: NoticeRecord): Notice => {
  const { subscriberId, updateId, at, attempts, outcome, problem } = record;
  return {
    subscriberId,
    updateId,
    attempts,
    problem,
    createdAt: at,
    sentAt: outcome === "sent" ? at : null,
    abandonedAt: outcome === "given_up" ? at : null,
  };
};
