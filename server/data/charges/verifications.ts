import { type Sql, statement } from "../client.ts";
import { coalesceByPool } from "../coalesce.ts";

/** One verdict of verify-mandate: its metered fields and its log entry. */
export type Verification = {
  /** contains `time` */
  id: string;
  merchantId: string;
  clientId: string;
  /** null if the answer named no mandate */
  mandateId: string | null;
  /** the first of the verdict's reasons; null: it was valid */
  reason: string | null;
  requestId: string;
  time: Date;
};

// A minute has one count per lane, and a connection belongs to one lane. So connections rarely wait for each other's
// commits. Two connections in one lane lock their minutes in the same order, so that they can't deadlock.
const insert = statement<never>(
  "insert_verifications",
  `WITH verdict AS (
     SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
       AS verdict (id, time, merchant_id, client_id, mandate_id, reason, request_id)),
   kept AS (
     INSERT INTO verification (merchant_id, time, id, client_id, mandate_id)
     SELECT merchant_id, time, id, client_id, mandate_id FROM verdict),
   logged AS (
     INSERT INTO verification_log (merchant_id, time, id, reason, request_id)
     SELECT merchant_id, time, id, reason, request_id FROM verdict)
   INSERT INTO verification_minute AS m (merchant_id, minute, lane, count)
   SELECT merchant_id, date_trunc('minute', time, 'UTC') AS minute, pg_backend_pid() % 1024, count(*)
     FROM verdict GROUP BY merchant_id, minute ORDER BY merchant_id, minute
   ON CONFLICT (merchant_id, minute, lane) DO UPDATE SET count = m.count + excluded.count`,
);

const insertTogether = coalesceByPool(async (sql: Sql, rows: readonly Verification[]) => {
  await sql.query(insert, [
    rows.map(({ id }) => id),
    rows.map(({ time }) => time.toISOString()),
    rows.map(({ merchantId }) => merchantId),
    rows.map(({ clientId }) => clientId),
    rows.map(({ mandateId }) => mandateId),
    rows.map(({ reason }) => reason),
    rows.map(({ requestId }) => requestId),
  ]);
  return rows.map(() => true);
});

/** Concurrent requests share one statement. Returns when the row is durable. */
export const insertVerification = async (sql: Sql, verification: Verification): Promise<void> => {
  await insertTogether(sql, verification);
};
