import type { AlertRule, Board, ComponentChange, ComponentState, Incident, IncidentImpact, Notice } from "../board.ts";
import type { ComponentKey } from "../components.ts";
import { severityOf } from "../severity.ts";

type Affected = { component: ComponentKey; state: ComponentState };

/** An incident that the probes open: public, or a draft that an operator must confirm. */
export type OpenedIncident = {
  kind: "incident_opened";
  id: string;
  title: string;
  impact: IncidentImpact;
  isDraft: boolean;
  startedAt: Date;
  at: Date;
  components: readonly Affected[];
  updateId: string;
  text: string;
};

/** An update by the probes; `resolved` ends a public incident. */
export type UpdatedIncident = {
  kind: "incident_updated";
  /** id of the update */
  id: string;
  incidentId: string;
  /** null: unchanged; always null for a draft, whose state only operators change */
  state: "investigating" | "monitoring" | "resolved" | null;
  text: string;
  at: Date;
  components: readonly Affected[];
};

/** Result of one attempt to deliver an update to a subscriber. */
export type NoticeRecord = {
  kind: "notice";
  /** id of this attempt */
  id: string;
  subscriberId: string;
  updateId: string;
  at: Date;
  attempts: number;
  outcome: "sent" | "failed" | "given_up";
  problem: string | null;
};

/** A subscriber who unsubscribed. Gets no more updates. The replay deletes it if it is still in the database. */
type EndedSubscriber = { kind: "subscriber_ended"; id: string; subscriberId: string; at: Date; requestId: string };

export type AlertRecord =
  | { kind: "alert_started"; id: string; component: ComponentKey; rule: AlertRule; burnRate: number; at: Date }
  | { kind: "alert_ended"; id: string; alertId: string; at: Date };

/**
 * A decision of the status process, as stored in its journal. Ids are unique, so applying a record twice changes
 * nothing.
 */
export type JournalRecord =
  | ({ kind: "change" } & ComponentChange)
  | { kind: "heartbeat"; id: string; at: Date; components: readonly ComponentKey[] }
  | OpenedIncident
  | UpdatedIncident
  | NoticeRecord
  | EndedSubscriber
  | AlertRecord
  /**
   * An operator was mailed about an alert record; `recipient` is the recipientDigest of the address (alert-mail.ts).
   */
  | { kind: "alert_mailed"; id: string; recordId: string; recipient: string; at: Date };

/** Actor of the records. */
export const probeActor = "probe";

/** Actor of the demo data, which covers time before the service existed. */
export const demoActor = "demo";

/** The board with these records applied. Records that are already on the board change nothing. */
export const withRecords = (board: Board, records: readonly JournalRecord[]): Board => {
  const notices = records.filter((record) => record.kind === "notice");
  const others = records.filter((record) => record.kind !== "notice");
  return withNotices(others.reduce(withRecord, board), notices);
};

const withRecord = (board: Board, record: Exclude<JournalRecord, NoticeRecord>): Board => {
  switch (record.kind) {
    case "change":
      return withChange(board, record);
    case "heartbeat":
      return withHeartbeat(board, record);
    case "incident_opened":
      return withIncident(board, record);
    case "incident_updated":
      return { ...board, incidents: board.incidents.map((one) => withIncidentUpdate(one, record)) };
    case "alert_started": {
      if (board.alerts.some(({ id }) => id === record.id)) return board;
      const { id, component, rule, burnRate, at } = record;
      return { ...board, alerts: [{ id, component, rule, burnRate, startedAt: at, endedAt: null }, ...board.alerts] };
    }
    case "alert_ended": {
      const end = (alert: Board["alerts"][number]) =>
        alert.id === record.alertId ? { ...alert, endedAt: alert.endedAt ?? record.at } : alert;
      return { ...board, alerts: board.alerts.map(end) };
    }
    case "alert_mailed":
      return board;
    case "subscriber_ended":
      return { ...board, subscribers: board.subscribers.filter(({ id }) => id !== record.subscriberId) };
    default:
      // Another version of the status process may have written a kind of record that this version doesn't support.
      record satisfies never;
      return board;
  }
};

const byTime = (left: ComponentChange, right: ComponentChange): number =>
  left.at.getTime() - right.at.getTime() || (left.id < right.id ? -1 : 1);

const withChange = (board: Board, { kind: _, ...change }: Extract<JournalRecord, { kind: "change" }>): Board =>
  board.changes.some(({ id }) => id === change.id)
    ? board
    : { ...board, changes: [...board.changes, change].sort(byTime) };

const withHeartbeat = (board: Board, { at, components }: Extract<JournalRecord, { kind: "heartbeat" }>): Board => {
  const last = new Map(board.heartbeats.map((one) => [one.component, one.at]));
  for (const component of components) {
    const before = last.get(component);
    if (!before || before < at) last.set(component, at);
  }
  return { ...board, heartbeats: [...last].map(([component, at]) => ({ component, at })) };
};

const withIncident = (board: Board, record: OpenedIncident): Board => {
  if (board.incidents.some(({ id }) => id === record.id)) return board;
  const { id, title, impact, isDraft, startedAt, at, components, updateId, text } = record;
  const state = isDraft ? ("draft" as const) : ("investigating" as const);
  const incident: Incident = {
    id,
    title,
    state,
    impact,
    source: "probe",
    openedBy: probeActor,
    startedAt,
    createdAt: at,
    publicAt: isDraft ? null : at,
    resolvedAt: null,
    components: [...components],
    postmortem: null,
    updates: [{ id: updateId, sequence: 1, state, text, actor: probeActor, at }],
  };
  return { ...board, incidents: [incident, ...board.incidents] };
};

/** Incidents that an operator has closed aren't reopened. */
const withIncidentUpdate = (incident: Incident, record: UpdatedIncident): Incident => {
  const isOver = incident.state === "resolved" || incident.state === "dismissed";
  if (incident.id !== record.incidentId || isOver || incident.updates.some(({ id }) => id === record.id))
    return incident;
  const state = record.state ?? incident.state;
  const sequence = Math.max(0, ...incident.updates.map((update) => update.sequence)) + 1;
  return {
    ...incident,
    state,
    resolvedAt: state === "resolved" ? record.at : null,
    components: worstOf(incident.components, record.components),
    updates: [
      ...incident.updates,
      { id: record.id, sequence, state, text: record.text, actor: probeActor, at: record.at },
    ],
  };
};

const worstOf = (before: readonly Affected[], now: readonly Affected[]): Affected[] => {
  const worst = new Map(before.map(({ component, state }) => [component, state]));
  for (const { component, state } of now) {
    const known = worst.get(component);
    if (known === undefined || severityOf(state) > severityOf(known)) worst.set(component, state);
  }
  return [...worst].map(([component, state]) => ({ component, state }));
};

/** All records in one pass: the journal of an outage has at least one per subscriber. */
const withNotices = (board: Board, records: readonly NoticeRecord[]): Board => {
  if (records.length === 0) return board;
  const attempted = new Map<string, Map<string, Notice | undefined>>();
  for (const { subscriberId, updateId } of records)
    attempted.set(subscriberId, (attempted.get(subscriberId) ?? new Map()).set(updateId, undefined));
  const others: Notice[] = [];
  for (const notice of board.notices) {
    const ofSubscriber = attempted.get(notice.subscriberId);
    if (ofSubscriber?.has(notice.updateId)) ofSubscriber.set(notice.updateId, notice);
    else others.push(notice);
  }
  for (const record of records) {
    const ofSubscriber = attempted.get(record.subscriberId);
    ofSubscriber?.set(record.updateId, afterAttempt(ofSubscriber.get(record.updateId), record));
  }
  const last = [...attempted.values()].flatMap((ofSubscriber) => [...ofSubscriber.values()]);
  return { ...board, notices: [...others, ...last.filter((notice) => notice !== undefined)] };
};

/** A sent notice still counts as sent if a slower attempt failed. */
const afterAttempt = (before: Notice | undefined, record: NoticeRecord): Notice => {
  const { subscriberId, updateId, at, attempts, outcome, problem } = record;
  if (before && (before.sentAt || before.attempts >= attempts)) return before;
  return {
    subscriberId,
    updateId,
    attempts,
    problem,
    createdAt: before?.createdAt ?? at,
    sentAt: outcome === "sent" ? at : null,
    abandonedAt: outcome === "given_up" ? at : null,
  };
};
