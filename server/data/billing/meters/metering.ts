import { type Sql, statement } from "../../client.ts";
import { coalesceByPool } from "../../coalesce.ts";

/** Meters whose events are written by the service's own calls (docs/spec/billing.md, Meters). */
export type CallMeter = "tokens_issued" | "introspections" | "step_ups" | "webhooks_delivered";

/** SQL: all values of `CallMeter`. */
export const callMeters = "'{tokens_issued,introspections,step_ups,webhooks_delivered}'::text[]";

/** A call that is billed to a merchant. */
export type MeteredCall = {
  /** id of the event, which contains the time `at` */
  id: string;
  merchantId: string;
  /** business time */
  at: Date;
};

/** Calls as rows: three parameters from $`first` on, in the order of `meteredValues`. */
export const meteredTypes = (first: number): string =>
  `$${first}::text[], $${first + 1}::text[], $${first + 2}::timestamptz[]`;
export const meteredNames = "event_id, event_merchant, event_at";

/** @param calls null for a call that is billed to no merchant. */
export const meteredValues = (
  calls: readonly (MeteredCall | null)[],
): [(string | null)[], (string | null)[], (string | null)[]] => [
  calls.map((call) => call?.id ?? null),
  calls.map((call) => call?.merchantId ?? null),
  calls.map((call) => call?.at.toISOString() ?? null),
];

/**
 * The last parts of a statement that records calls. They read `billed` (merchant_id, time, id, client_id, subject).
 * Calls by probes aren't billed. A minute has one count per lane, and a connection belongs to one lane, so connections
 * rarely wait for each other's commits. Two connections in one lane lock their minutes in the same order, so that they
 * can't deadlock.
 */
export const meteringOf = (meter: string): string => `metered AS (
     INSERT INTO meter_event (merchant_id, meter, time, id, client_id, subject)
     SELECT b.merchant_id, ${meter}, b.time, b.id, b.client_id, b.subject
       FROM billed b JOIN merchant payer ON payer.id = b.merchant_id AND NOT payer.is_probe
     RETURNING merchant_id, meter, time
   ), metered_minute AS (
     INSERT INTO meter_minute AS n (merchant_id, meter, minute, lane, count)
     SELECT merchant_id, meter, date_trunc('minute', time, 'UTC') AS minute, pg_backend_pid() % 1024, count(*)
       FROM metered GROUP BY merchant_id, meter, minute ORDER BY merchant_id, meter, minute
     ON CONFLICT (merchant_id, meter, minute, lane) DO UPDATE SET count = n.count + excluded.count
   )`;

type SeparateCall = MeteredCall & { meter: CallMeter; clientId: string | null; subject: string | null };

const insert = statement<never>(
  "insert_metered_calls",
  `WITH billed AS (
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[])
       AS call (id, merchant_id, time, meter, client_id, subject)
   ), ${meteringOf("b.meter")} SELECT`,
);

const writeCalls = async (sql: Sql, calls: readonly SeparateCall[]): Promise<void> => {
  await sql.query(insert, [
    calls.map(({ id }) => id),
    calls.map(({ merchantId }) => merchantId),
    calls.map(({ at }) => at.toISOString()),
    calls.map(({ meter }) => meter),
    calls.map(({ clientId }) => clientId),
    calls.map(({ subject }) => subject),
  ]);
};

/** Records a call in the caller's transaction. */
export const insertMeteredCall = (sql: Sql, call: SeparateCall): Promise<void> => writeCalls(sql, [call]);

const writeTogether = coalesceByPool(async (sql: Sql, calls: readonly SeparateCall[]) => {
  await writeCalls(sql, calls);
  return calls.map(() => true as const);
});

/** Records a call that changes no other row. Concurrent calls share a statement. */
export const insertMeteredCallAlone = async (sql: Sql, call: SeparateCall): Promise<void> => {
  await writeTogether(sql, call);
};
