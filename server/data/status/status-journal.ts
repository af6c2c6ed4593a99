import { type Sql, statement } from "../client.ts";

/** What the status process decided while it could not say so here. Each statement changes nothing where it was said. */

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
    state: string;
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

/** @returns false where it was there before. */
export const replayIncident = async (
  sql: Sql,
  incident: {
    id: string;
    title: string;
    state: "draft" | "investigating";
    impact: string;
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

const lockIncident = statement<{ isOver: boolean; isTold: boolean }>(
  "lock_incident_for_update",
  `SELECT state IN ('resolved', 'dismissed') AS "isOver",
          EXISTS (SELECT 1 FROM incident_update WHERE id = $2) AS "isTold"
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

/** What an operator has ended stays ended. @param update `state` null: as it stands. @returns false where nothing was added. */
export const replayIncidentUpdate = async (
  sql: Sql,
  update: { id: string; incidentId: string; state: string | null; text: string; actor: string; at: Date },
): Promise<boolean> => {
  const { id, incidentId, state, text, actor, at } = update;
  const [incident] = await sql.query(lockIncident, [incidentId, id]);
  if (!incident || incident.isOver || incident.isTold) return false;
  await sql.query(insertUpdate, [incidentId, id, state, text, actor, at]);
  return true;
};

const upsertComponents = statement<never>(
  "replay_incident_components",
  `INSERT INTO incident_component (incident_id, component, state)
   SELECT $1, name, state::component_state FROM unnest($2::text[], $3::text[]) AS sent (name, state)
   ON CONFLICT (incident_id, component) DO UPDATE SET state = greatest(incident_component.state, excluded.state)`,
);

/** The worst of each component's course. */
export const replayIncidentComponents = async (
  sql: Sql,
  incidentId: string,
  affected: readonly { component: string; state: string }[],
): Promise<void> => {
  await sql.query(upsertComponents, [
    incidentId,
    affected.map(({ component }) => component),
    affected.map(({ state }) => state),
  ]);
};

const upsertNotice = statement<never>(
  "replay_status_notice",
  `INSERT INTO status_notice (subscriber_id, update_id, created_at, attempts, sent_at, given_up_at, problem)
   SELECT s.id, $2, $3::timestamptz, $4::int, $5::timestamptz, $6::timestamptz, $7 FROM status_subscriber s WHERE s.id = $1
   ON CONFLICT (subscriber_id, update_id) DO UPDATE SET
     attempts = excluded.attempts, sent_at = excluded.sent_at, given_up_at = excluded.given_up_at, problem = excluded.problem
   WHERE status_notice.sent_at IS NULL AND status_notice.attempts < excluded.attempts`,
);

/** Of a subscriber who has gone there is nothing to keep. */
export const replayNotice = async (
  sql: Sql,
  notice: {
    subscriberId: string;
    updateId: string;
    createdAt: Date;
    attempts: number;
    sentAt: Date | null;
    givenUpAt: Date | null;
    problem: string | null;
  },
): Promise<void> => {
  const { subscriberId, updateId, createdAt, attempts, sentAt, givenUpAt, problem } = notice;
  await sql.query(upsertNotice, [subscriberId, updateId, createdAt, attempts, sentAt, givenUpAt, problem]);
};

const insertAlert = statement<{ id: string }>(
  "replay_status_alert",
  `INSERT INTO status_alert (id, component, rule, burn_rate, started_at)
   VALUES ($1, $2, $3::alert_rule, $4::numeric, $5::timestamptz) ON CONFLICT (id) DO NOTHING RETURNING id`,
);

/** @returns false where it was there before. */
export const replayAlert = async (
  sql: Sql,
  alert: { id: string; component: string; rule: string; burnRate: number; startedAt: Date },
): Promise<boolean> => {
  const { id, component, rule, burnRate, startedAt } = alert;
  return (await sql.query(insertAlert, [id, component, rule, burnRate, startedAt])).length === 1;
};

const closeAlert = statement<{ component: string; rule: "page_fast" | "page_slow" | "ticket" }>(
  "replay_status_alert_end",
  "UPDATE status_alert SET ended_at = $2::timestamptz WHERE id = $1 AND ended_at IS NULL RETURNING component, rule",
);

/** @returns null where it had ended before. */
export const replayAlertEnd = async (sql: Sql, end: { alertId: string; at: Date }) =>
  (await sql.query(closeAlert, [end.alertId, end.at]))[0] ?? null;
