import type { AlertRule, ComponentState, IncidentImpact, Notice } from "../../status/rules/board.ts";
import { type Sql, statement } from "../client.ts";

// Replays decisions that the status process wrote to its journal while the database was unavailable. Every statement is
// idempotent.

const insertChange = statement<never>(
  "replay_component_change",
  `INSERT INTO component_change (id, component, source, subject, state, at, reason, actor)
   VALUES ($1, $2, $3::status_source, $4, $5::component_state, $6::timestamptz, $7, $8) ON CONFLICT (id) DO NOTHING`,
);

export const replayChange = async (
  sql: Sql,
  change: {
    id: string;
    component: string;
    source: string;
    subject: string;
    state: ComponentState;
    at: Date;
    reason: string;
    actor: string;
  },
): Promise<void> => {
  const { id, component, source, subject, state, at, reason, actor } = change;
  await sql.query(insertChange, [id, component, source, subject, state, at, reason, actor]);
};

const upsertHeartbeat = statement<never>(
  "replay_component_heartbeat",
  `INSERT INTO component_heartbeat (component, at) SELECT name, $2::timestamptz FROM unnest($1::text[]) AS name
   ON CONFLICT (component) DO UPDATE SET at = greatest(component_heartbeat.at, excluded.at)`,
);

export const replayHeartbeat = async (sql: Sql, beat: { components: readonly string[]; at: Date }): Promise<void> => {
  await sql.query(upsertHeartbeat, [beat.components, beat.at]);
};

const insertIncident = statement<{ id: string }>(
  "replay_incident",
  `INSERT INTO incident (id, title, state, impact, source, opened_by, started_at, public_at, created_at)
   VALUES ($1, $2, $3::incident_state, $4::incident_impact, 'probe', $5, $6::timestamptz, $7::timestamptz, $8::timestamptz)
   ON CONFLICT (id) DO NOTHING RETURNING id`,
);

/** @returns false if it exists already. */
export const replayIncident = async (
  sql: Sql,
  incident: {
    id: string;
    title: string;
    state: "draft" | "investigating";
    impact: IncidentImpact;
    openedBy: string;
    startedAt: Date;
    publicAt: Date | null;
    createdAt: Date;
  },
): Promise<boolean> => {
  const { id, title, state, impact, openedBy, startedAt, publicAt, createdAt } = incident;
  const rows = await sql.query(insertIncident, [id, title, state, impact, openedBy, startedAt, publicAt, createdAt]);
  return rows.length === 1;
};

const lockIncident = statement<{ isOver: boolean; isRecorded: boolean }>(
  "lock_incident_for_update",
  `SELECT state IN ('resolved', 'dismissed') AS "isOver",
          EXISTS (SELECT 1 FROM incident_update WHERE id = $2) AS "isRecorded"
     FROM incident WHERE id = $1 FOR UPDATE`,
);

const insertUpdate = statement<never>(
  "replay_incident_update",
  `WITH added AS (
     INSERT INTO incident_update (id, incident_id, sequence, state, text, actor, at)
     SELECT $2, i.id, 1 + coalesce((SELECT max(sequence) FROM incident_update u WHERE u.incident_id = i.id), 0),
            coalesce($3::incident_state, i.state), $4, $5, $6::timestamptz
       FROM incident i WHERE i.id = $1
     RETURNING incident_id, state
   )
   UPDATE incident SET state = added.state, resolved_at = CASE WHEN added.state = 'resolved' THEN $6::timestamptz END
     FROM added WHERE incident.id = added.incident_id`,
);

/**
 * Incidents that an operator has closed aren't reopened.
 * @param update `state` null keeps the incident's state. @returns false if nothing was added.
 */
export const replayIncidentUpdate = async (
  sql: Sql,
  update: { id: string; incidentId: string; state: string | null; text: string; actor: string; at: Date },
): Promise<boolean> => {
  const { id, incidentId, state, text, actor, at } = update;
  const [incident] = await sql.query(lockIncident, [incidentId, id]);
  if (!incident || incident.isOver || incident.isRecorded) return false;
  await sql.query(insertUpdate, [incidentId, id, state, text, actor, at]);
  return true;
};

const upsertComponents = statement<never>(
  "replay_incident_components",
  `INSERT INTO incident_component (incident_id, component, state)
   SELECT $1, name, state::component_state FROM unnest($2::text[], $3::text[]) AS sent (name, state)
   ON CONFLICT (incident_id, component) DO UPDATE SET state = greatest(incident_component.state, excluded.state)`,
);

/** Keeps the worst state of each component. */
export const replayIncidentComponents = async (
  sql: Sql,
  incidentId: string,
  affected: readonly { component: string; state: ComponentState }[],
): Promise<void> => {
  await sql.query(upsertComponents, [
    incidentId,
    affected.map(({ component }) => component),
    affected.map(({ state }) => state),
  ]);
};

const upsertNotice = statement<never>(
  "replay_status_notice",
  `INSERT INTO status_notice (subscriber_id, update_id, created_at, attempts, sent_at, abandoned_at, problem)
   SELECT s.id, $2, $3::timestamptz, $4::int, $5::timestamptz, $6::timestamptz, $7 FROM status_subscriber s WHERE s.id = $1
   ON CONFLICT (subscriber_id, update_id) DO UPDATE SET
     attempts = excluded.attempts, sent_at = excluded.sent_at, abandoned_at = excluded.abandoned_at, problem = excluded.problem
   WHERE status_notice.sent_at IS NULL AND status_notice.attempts < excluded.attempts`,
);

/** Inserts nothing for a subscriber that was deleted. */
export const replayNotice = async (sql: Sql, notice: Notice): Promise<void> => {
  const { subscriberId, updateId, createdAt, attempts, sentAt, abandonedAt, problem } = notice;
  await sql.query(upsertNotice, [subscriberId, updateId, createdAt, attempts, sentAt, abandonedAt, problem]);
};

const insertAlert = statement<{ id: string }>(
  "replay_status_alert",
  `INSERT INTO status_alert (id, component, rule, burn_rate, started_at)
   VALUES ($1, $2, $3::alert_rule, $4::numeric, $5::timestamptz) ON CONFLICT (id) DO NOTHING RETURNING id`,
);

/** @returns false if it exists already. */
export const replayAlert = async (
  sql: Sql,
  alert: { id: string; component: string; rule: AlertRule; burnRate: number; startedAt: Date },
): Promise<boolean> => {
  const { id, component, rule, burnRate, startedAt } = alert;
  return (await sql.query(insertAlert, [id, component, rule, burnRate, startedAt])).length === 1;
};

const closeAlert = statement<{ component: string; rule: AlertRule }>(
  "replay_status_alert_end",
  "UPDATE status_alert SET ended_at = $2::timestamptz WHERE id = $1 AND ended_at IS NULL RETURNING component, rule",
);

/** @returns null if it had ended already. */
export const replayAlertEnd = async (sql: Sql, end: { alertId: string; at: Date }) =>
  (await sql.query(closeAlert, [end.alertId, end.at]))[0] ?? null;
