import { type Sql, statement } from "../../client.ts";

export type WitnessState = {
  /** of the largest tree that the witness is known to have cosigned */
  size: number;
  /** failed requests in a row */
  failures: number;
};

const claim = statement<WitnessState>(
  "claim_log_witness",
  `INSERT INTO directory_log_witness AS w (key, next_attempt_at) VALUES ($1, $4::timestamptz)
   ON CONFLICT (key) DO UPDATE SET next_attempt_at = excluded.next_attempt_at
     WHERE w.next_attempt_at <= $3::timestamptz AND w.body IS DISTINCT FROM $2
   RETURNING size::float8 AS size, failures`,
);

/**
 * Claims the request to a witness until `leaseUntil`. At most one caller gets it.
 * @returns null if the witness has cosigned this checkpoint, or if its next request isn't due.
 */
export const claimWitness = async (
  sql: Sql,
  { key, body, now, leaseUntil }: { key: string; body: string; now: Date; leaseUntil: Date },
): Promise<WitnessState | null> => (await sql.query(claim, [key, body, now, leaseUntil]))[0] ?? null;

const save = statement<never>(
  "save_log_cosignature",
  `UPDATE directory_log_witness SET size = $2::bigint, body = $3, cosignature = $4, next_attempt_at = $5::timestamptz,
     failures = 0 WHERE key = $1 AND size <= $2::bigint`,
);

/** A cosignature of an earlier checkpoint doesn't replace a later one. */
export const saveCosignature = async (
  sql: Sql,
  { key, size, body, cosignature, at }: { key: string; size: number; body: string; cosignature: string; at: Date },
): Promise<void> => {
  await sql.query(save, [key, size, body, cosignature, at]);
};

const saveFailure = statement<never>(
  "save_log_witness_failure",
  `UPDATE directory_log_witness SET failures = failures + 1, next_attempt_at = $2::timestamptz WHERE key = $1`,
);

export const saveWitnessFailure = async (
  sql: Sql,
  { key, nextAttemptAt }: { key: string; nextAttemptAt: Date },
): Promise<void> => {
  await sql.query(saveFailure, [key, nextAttemptAt]);
};
