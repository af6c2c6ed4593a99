import type { HealthDay } from "../../directory/rules/health.ts";
import { type Sql, statement } from "../client.ts";

/** A check that one worker claimed. */
export type HealthCheckRow = {
  participantId: string;
  /** before this check, in a row */
  failures: number;
  days: HealthDay[];
  leaseUntil: Date;
};

const claim = statement<HealthCheckRow>(
  "claim_participant_health_check",
  `UPDATE participant_health SET check_due_at = $2::timestamptz
    WHERE participant_id = (SELECT participant_id FROM participant_health
      WHERE check_due_at <= $1::timestamptz ORDER BY check_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING participant_id AS "participantId", failed_checks AS failures, days, check_due_at AS "leaseUntil"`,
);

/** Claims the participant whose check has been due longest, for one worker until `leaseUntil`. */
export const claimHealthCheck = async (sql: Sql, now: Date, leaseUntil: Date): Promise<HealthCheckRow | null> =>
  (await sql.query(claim, [now, leaseUntil]))[0] ?? null;

/** Finds no row if the documents were changed or removed, or if another worker took the check over. */
const claimed = "WHERE participant_id = $1 AND check_due_at = $2::timestamptz RETURNING participant_id";

const postpone = statement<{ participant_id: string }>(
  "postpone_participant_health_check",
  `UPDATE participant_health SET check_due_at = $3::timestamptz ${claimed}`,
);

export const postponeHealthCheck = async (sql: Sql, check: HealthCheckRow, dueAt: Date): Promise<void> => {
  await sql.query(postpone, [check.participantId, check.leaseUntil, dueAt]);
};

const record = statement<{ participant_id: string }>(
  "record_participant_health",
  `UPDATE participant_health SET check_due_at = $3::timestamptz, checked_at = $4::timestamptz, problem = $5::text,
          last_success_at = CASE WHEN $5::text IS NULL THEN $4::timestamptz ELSE last_success_at END,
          latency_ms = coalesce($6::int, latency_ms), failed_checks = $7::int, days = $8::jsonb ${claimed}`,
);

export type HealthResult = {
  at: Date;
  dueAt: Date;
  /** null: the check succeeded */
  problem: string | null;
  /** of a check that succeeded */
  latencyMs: number | null;
  failures: number;
  days: readonly HealthDay[];
};

/** @returns false if the check no longer belongs to this worker. */
export const recordHealth = async (
  sql: Sql,
  { participantId, leaseUntil }: HealthCheckRow,
  { at, dueAt, problem, latencyMs, failures, days }: HealthResult,
): Promise<boolean> => {
  const values = [participantId, leaseUntil, dueAt, at, problem, latencyMs, failures, JSON.stringify(days)] as const;
  return (await sql.query(record, values)).length === 1;
};

const due = statement<never>(
  "begin_participant_health",
  `INSERT INTO participant_health (participant_id, check_due_at, days) VALUES ($1, $2::timestamptz, '[]')
   ON CONFLICT (participant_id) DO UPDATE SET check_due_at = $2::timestamptz, failed_checks = 0`,
);

/** Makes the participant due at this time. After the first check, it is checked hourly. */
export const beginHealthChecks = async (sql: Sql, participantId: string, at: Date): Promise<void> => {
  await sql.query(due, [participantId, at]);
};

const remove = statement<never>("end_participant_health", "DELETE FROM participant_health WHERE participant_id = $1");

export const endHealthChecks = async (sql: Sql, participantId: string): Promise<void> => {
  await sql.query(remove, [participantId]);
};

export type MeasuredHealth = {
  checkedAt: Date;
  lastSuccessAt: Date | null;
  latencyMs: number | null;
  problem: string | null;
  /** only days with a check, oldest first */
  days: HealthDay[];
};

const find = statement<MeasuredHealth>(
  "find_participant_health",
  `SELECT checked_at AS "checkedAt", last_success_at AS "lastSuccessAt", latency_ms AS "latencyMs", problem, days
     FROM participant_health WHERE participant_id = $1 AND checked_at IS NOT NULL`,
);

/** Null before the first check. */
export const findMeasuredHealth = async (sql: Sql, participantId: string): Promise<MeasuredHealth | null> =>
  (await sql.query(find, [participantId]))[0] ?? null;
