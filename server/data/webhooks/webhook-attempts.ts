import { type Sql, statement } from "../client.ts";
import { coalesceByPool } from "../coalesce.ts";

export type ClaimedDelivery = {
  id: string;
  createdAt: Date;
  endpointId: string;
  ownerKind: "client" | "merchant";
  url: string;
  eventId: string;
  eventAt: Date;
  /** this try's */
  number: number;
  /** this try's, as it is on record: what it signs as its timestamp */
  startedAt: Date;
};

/** Due deliveries that a claim looks at before it goes from endpoint to endpoint. */
const windowSize = 1_024;
/** Of those the ready ones that it considers; of one endpoint it takes few, so that the others have their turn. */
const maxReady = 256;

/**
 * A first try waits until the object's earlier events have had theirs at this endpoint, and until none of them is still
 * undispatched; a try whose worker died counts as none, and is made again first. Later tries wait for nothing.
 * The orders, and `coalesce` of what another index is made of, speak for the indexes by object even to a plan that was
 * made while the tables were next to empty: by the others each delivery would go through all that is pending.
 */
const isReady = `(d.tried_at IS NOT NULL OR d.replay_of IS NOT NULL OR (
          d.sequence <= coalesce((SELECT p.sequence FROM webhook_delivery p
            WHERE p.endpoint_id = d.endpoint_id AND p.object_id = d.object_id
              AND p.state = 'pending' AND p.tried_at IS NULL AND p.replay_of IS NULL ORDER BY p.sequence LIMIT 1), d.sequence)
          AND d.sequence <= coalesce((SELECT e.sequence FROM event e
            WHERE e.object_id = d.object_id AND coalesce(e.dispatched_at, '-infinity') = '-infinity'
            ORDER BY e.sequence LIMIT 1), d.sequence)))`;

/**
 * Those that were due first are looked at, in the order in which they are read. Where an endpoint's backlog, or what waits
 * for something, fills that window and leaves places free, each endpoint for which something waits gives the few that it
 * may: a claim costs no more with the length of a backlog, but with the number of endpoints that have one. What is taken is
 * found by its key: by the indexes of what is pending, PostgreSQL would read all of that for each while its statistics are
 * young, hence `state::text`.
 */
const claim = statement<ClaimedDelivery>(
  "claim_webhook_deliveries",
  `WITH RECURSIVE oldest AS MATERIALIZED (
     SELECT id, created_at, endpoint_id, object_id, sequence, next_attempt_at, tried_at, replay_of FROM webhook_delivery
      WHERE state = 'pending' AND next_attempt_at <= $1::timestamptz ORDER BY next_attempt_at LIMIT ${windowSize}
   ), near AS MATERIALIZED (
     SELECT id, created_at, endpoint_id, sequence, next_attempt_at FROM oldest d
      WHERE d.endpoint_id <> ALL ($3::text[]) AND ${isReady} LIMIT ${maxReady}
   ), free (endpoint_id, places) AS (
     SELECT endpoint_id, $4::int - coalesce(held.places, 0) FROM (SELECT DISTINCT endpoint_id FROM near) AS n
       LEFT JOIN unnest($6::text[], $7::int[]) AS held (endpoint_id, places) USING (endpoint_id)
   ), enough (is_so) AS MATERIALIZED (
     SELECT (SELECT count(*) FROM oldest) < ${windowSize} AND (SELECT count(*) FROM near) < ${maxReady}
         OR (SELECT coalesce(sum(least(free.places, (SELECT count(*) FROM near WHERE near.endpoint_id = free.endpoint_id))), 0)
               FROM free) >= $5::int
   ), waiting (endpoint_id) AS (
     SELECT min(d.endpoint_id) FROM webhook_delivery d WHERE d.state = 'pending' AND d.next_attempt_at IS NOT NULL
       AND NOT (SELECT is_so FROM enough)
     UNION ALL
     SELECT (SELECT min(d.endpoint_id) FROM webhook_delivery d
              WHERE d.state = 'pending' AND d.next_attempt_at IS NOT NULL AND d.endpoint_id > waiting.endpoint_id)
       FROM waiting WHERE waiting.endpoint_id IS NOT NULL
   ), far AS (
     SELECT d.* FROM waiting CROSS JOIN LATERAL (
       SELECT d.id, d.created_at, d.endpoint_id, d.sequence, d.next_attempt_at FROM webhook_delivery d
        WHERE d.endpoint_id = waiting.endpoint_id AND d.state = 'pending' AND d.next_attempt_at <= $1::timestamptz AND ${isReady}
        ORDER BY d.next_attempt_at LIMIT $4::int) AS d
      WHERE waiting.endpoint_id <> ALL ($3::text[])
   ), due AS (
     SELECT *, row_number() OVER (PARTITION BY endpoint_id ORDER BY next_attempt_at, sequence) AS turn
       FROM (SELECT * FROM near UNION SELECT * FROM far) AS found
   ), ready AS (
     SELECT id, created_at FROM due LEFT JOIN unnest($6::text[], $7::int[]) AS held (endpoint_id, places) USING (endpoint_id)
      WHERE turn <= $4::int - coalesce(places, 0) ORDER BY next_attempt_at
   ), taken AS (
     SELECT d.id, d.created_at FROM ready CROSS JOIN LATERAL (
       SELECT d.id, d.created_at FROM webhook_delivery d
        WHERE d.id = ready.id AND d.created_at = ready.created_at AND d.state::text = 'pending' AND d.next_attempt_at <= $1::timestamptz
          FOR UPDATE SKIP LOCKED) AS d
      LIMIT $5::int
   ), claimed AS (
     UPDATE webhook_delivery d SET attempts = attempts + 1, next_attempt_at = $2::timestamptz
       FROM taken t, webhook_endpoint e
      WHERE d.id = t.id AND d.created_at = t.created_at AND e.id = d.endpoint_id
     RETURNING d.id, d.created_at, d.endpoint_id, d.event_id, d.event_at, d.attempts, e.url, e.owner_kind
   ), begun AS (
     INSERT INTO webhook_attempt (delivery_id, number, delivery_at, url, started_at)
     SELECT id, attempts, created_at, url, $1::timestamptz FROM claimed
   )
   SELECT id, created_at AS "createdAt", endpoint_id AS "endpointId", owner_kind::text AS "ownerKind", url,
          event_id AS "eventId", event_at AS "eventAt", attempts AS number, $1::timestamptz AS "startedAt" FROM claimed`,
);

/**
 * A plan that was made while all of them fitted on a page would read the whole table for each delivery, until PostgreSQL has
 * counted it anew. Whoever claims has indexes for everything.
 */
const byIndexes = statement<never>("claim_by_indexes", "SET LOCAL enable_seqscan = off");

/**
 * Takes due deliveries, each for one caller alone until `claimUntil`; the try is on record before it is made. Belongs in a
 * transaction of its own.
 * @param busyEndpoints left out. @param held what the caller has under way, by endpoint.
 * @param perEndpoint of one endpoint at the most, with what is held.
 */
export const claimWebhookDeliveries = async (
  sql: Sql,
  input: {
    now: Date;
    claimUntil: Date;
    busyEndpoints: readonly string[];
    held: ReadonlyMap<string, number>;
    perEndpoint: number;
    limit: number;
  },
): Promise<ClaimedDelivery[]> => {
  const { now, claimUntil, busyEndpoints, held, perEndpoint, limit } = input;
  await sql.query(byIndexes, []);
  return sql.query(claim, [now, claimUntil, busyEndpoints, perEndpoint, limit, [...held.keys()], [...held.values()]]);
};

export type AttemptOutcome = {
  endedAt: Date;
  milliseconds: number;
  status: number | null;
  problem: string | null;
  bodyStart: string | null;
  /** how long the receiver wants to be left alone, in seconds; not kept */
  retryAfter: number | null;
};

type AttemptKey = Pick<ClaimedDelivery, "id" | "createdAt" | "number">;

const recordAttempt = statement<never>(
  "record_webhook_attempt",
  `UPDATE webhook_attempt SET ended_at = $4::timestamptz, milliseconds = $5::int, status = $6::int, problem = $7, body_start = $8
    WHERE delivery_id = $1 AND delivery_at = $2::timestamptz AND number = $3::int`,
);
/** Of a statement's `sent`, locked in the order in which whoever stops an endpoint's deliveries locks them. */
const heldInOrder = `held AS (
     SELECT d.id, d.created_at FROM webhook_delivery d
      WHERE (d.id, d.created_at) IN (SELECT id, created_at FROM sent) ORDER BY d.created_at, d.id FOR UPDATE
   )`;

/** The first three parameters of such a statement. */
const keysOf = (rows: readonly { key: AttemptKey }[]): [string[], string[], number[]] => [
  rows.map(({ key }) => key.id),
  rows.map(({ key }) => key.createdAt.toISOString()),
  rows.map(({ key }) => key.number),
];

const recordSuccesses = statement<never>(
  "record_webhook_successes",
  `WITH sent AS (
     SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::int[], $4::timestamptz[], $5::int[], $6::int[], $7::text[])
       AS s (id, created_at, number, ended_at, milliseconds, status, body_start)
   ), ${heldInOrder}, told AS (
     UPDATE webhook_attempt a SET ended_at = sent.ended_at, milliseconds = sent.milliseconds, status = sent.status,
            body_start = sent.body_start
       FROM sent WHERE a.delivery_id = sent.id AND a.delivery_at = sent.created_at AND a.number = sent.number
   )
   UPDATE webhook_delivery d SET state = 'delivered', next_attempt_at = NULL, tried_at = coalesce(d.tried_at, sent.ended_at)
     FROM held JOIN sent USING (id, created_at)
    WHERE d.id = held.id AND d.created_at = held.created_at AND d.state <> 'delivered'`,
);
const recordFailure = statement<{ triedAt: Date }>(
  "record_webhook_failure",
  `UPDATE webhook_delivery SET tried_at = coalesce(tried_at, $4::timestamptz), next_attempt_at = $5::timestamptz,
          state = CASE WHEN $5::timestamptz IS NULL THEN 'failed' ELSE 'pending' END::webhook_delivery_state
    WHERE id = $1 AND created_at = $2::timestamptz AND attempts = $3::int AND state = 'pending'
   RETURNING tried_at AS "triedAt"`,
);

const writeAttempt = (sql: Sql, key: AttemptKey, outcome: AttemptOutcome): Promise<unknown> =>
  sql.query(recordAttempt, [
    key.id,
    key.createdAt,
    key.number,
    outcome.endedAt,
    outcome.milliseconds,
    outcome.status,
    outcome.problem,
    outcome.bodyStart,
  ]);

type Arrival = { key: AttemptKey; outcome: AttemptOutcome };

const recordTogether = coalesceByPool(async (sql, arrivals: readonly Arrival[]) => {
  await sql.query(recordSuccesses, [
    ...keysOf(arrivals),
    arrivals.map(({ outcome }) => outcome.endedAt.toISOString()),
    arrivals.map(({ outcome }) => outcome.milliseconds),
    arrivals.map(({ outcome }) => outcome.status ?? 0),
    arrivals.map(({ outcome }) => outcome.bodyStart),
  ]);
  return arrivals.map(() => true);
});

/** Whoever claimed it meanwhile: it has arrived. Those that arrive together share one statement. */
export const recordDelivered = async (sql: Sql, key: AttemptKey, outcome: AttemptOutcome): Promise<void> => {
  await recordTogether(sql, { key, outcome });
};

/**
 * @param nextAttemptAt null: none. @returns when its first try ended; null where another worker has taken the delivery
 * over meanwhile, or it was stopped: what becomes of it is not this try's to say.
 */
export const recordFailed = async (
  sql: Sql,
  key: AttemptKey,
  { outcome, nextAttemptAt }: { outcome: AttemptOutcome; nextAttemptAt: Date | null },
): Promise<Date | null> => {
  await writeAttempt(sql, key, outcome);
  const rows = await sql.query(recordFailure, [key.id, key.createdAt, key.number, outcome.endedAt, nextAttemptAt]);
  return rows[0]?.triedAt ?? null;
};

const giveBackDeliveries = statement<never>(
  "give_back_webhook_deliveries",
  `WITH sent AS (
     SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::int[], $4::timestamptz[])
       AS s (id, created_at, number, next_attempt_at)
   ), ${heldInOrder}, gone AS (
     DELETE FROM webhook_attempt a USING sent
      WHERE a.delivery_id = sent.id AND a.delivery_at = sent.created_at AND a.number = sent.number
   )
   UPDATE webhook_delivery d SET attempts = d.attempts - 1, next_attempt_at = sent.next_attempt_at
     FROM held JOIN sent USING (id, created_at)
    WHERE d.id = held.id AND d.created_at = held.created_at AND d.attempts = sent.number AND d.state = 'pending'`,
);

type Return = { key: AttemptKey; nextAttemptAt: Date };

const giveBackTogether = coalesceByPool(async (sql, returns: readonly Return[]) => {
  await sql.query(giveBackDeliveries, [
    ...keysOf(returns),
    returns.map(({ nextAttemptAt }) => nextAttemptAt.toISOString()),
  ]);
  return returns.map(() => true);
});

/** A try that was never made: nothing left this process. Those that come together share one statement. */
export const giveBack = async (sql: Sql, key: AttemptKey, nextAttemptAt: Date): Promise<void> => {
  await giveBackTogether(sql, { key, nextAttemptAt });
};
