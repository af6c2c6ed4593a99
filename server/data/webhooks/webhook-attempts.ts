import { newId } from "../../kernel/ids.ts";
import { dateId } from "../../kernel/time/dated.ts";
import { meteringOf } from "../billing/meters/metering.ts";
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
  /** number of this attempt */
  number: number;
  /** recorded time of this attempt, which is also the signed timestamp */
  startedAt: Date;
};

/** Maximum number of due deliveries that a claim examines before it examines each endpoint separately. */
const windowSize = 1_024;
/**
 * Maximum number of ready deliveries that a claim considers, of those that it examines. It claims only a few per
 * endpoint, so that every endpoint gets a turn.
 */
const maxReady = 256;

/**
 * A first attempt waits until the object's earlier events are dispatched and have had their first attempts at this
 * endpoint. An attempt whose worker crashed doesn't count, and is repeated first. Later attempts don't wait. The ORDER
 * BY clauses, and `coalesce` on columns of other indexes, make PostgreSQL use the indexes by object even in a plan that
 * was made while the tables were almost empty. With the other indexes, PostgreSQL would scan all pending rows for each
 * delivery.
 */
const isReady = `(d.tried_at IS NOT NULL OR d.replay_of IS NOT NULL OR (
          d.sequence <= coalesce((SELECT p.sequence FROM webhook_delivery p
            WHERE p.endpoint_id = d.endpoint_id AND p.object_id = d.object_id
              AND p.state = 'pending' AND p.tried_at IS NULL AND p.replay_of IS NULL ORDER BY p.sequence LIMIT 1), d.sequence)
          AND d.sequence <= coalesce((SELECT e.sequence FROM event e
            WHERE e.object_id = d.object_id AND coalesce(e.dispatched_at, '-infinity') = '-infinity'
            ORDER BY e.sequence LIMIT 1), d.sequence)))`;

/**
 * Examines the deliveries that were due first, in due order. If one endpoint's backlog or blocked deliveries fill this
 * window and slots remain free, the claim also takes deliveries from each endpoint, up to the endpoint's limit. So the
 * cost depends on the number of endpoints with a backlog, not on the length of the backlogs. Claimed rows are found by
 * their key. `state::text` prevents the use of the indexes of pending rows. With recent statistics, PostgreSQL would
 * read all pending rows of such an index for each claimed row.
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
 * A plan that was made while the table fitted on one page would read the whole table for each delivery until PostgreSQL
 * updates its statistics. The claim has an index for every search.
 */
const byIndexes = statement<never>("claim_by_indexes", "SET LOCAL enable_seqscan = off");

/**
 * Claims due deliveries, each for one caller until `claimUntil`. The attempt is recorded before it is made. Call it in
 * its own transaction.
 * @param busyEndpoints endpoints to skip.
 * @param held the caller's deliveries in progress, by endpoint.
 * @param perEndpoint maximum deliveries of one endpoint, including those in `held`.
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
  /** the pause that the receiver requests, in seconds; not stored */
  retryAfter: number | null;
};

type AttemptKey = Pick<ClaimedDelivery, "id" | "createdAt" | "number">;

const recordAttempt = statement<never>(
  "record_webhook_attempt",
  `UPDATE webhook_attempt SET ended_at = $4::timestamptz, milliseconds = $5::int, status = $6::int, problem = $7, body_start = $8
    WHERE delivery_id = $1 AND delivery_at = $2::timestamptz AND number = $3::int`,
);
/**
 * Locks the deliveries of a statement's `sent`, in the same order as the statement that stops an endpoint's deliveries.
 */
const heldInOrder = `held AS (
     SELECT d.id, d.created_at FROM webhook_delivery d
      WHERE (d.id, d.created_at) IN (SELECT id, created_at FROM sent) ORDER BY d.created_at, d.id FOR UPDATE
   )`;

/** The first three parameters of these statements. */
const keysOf = (rows: readonly { key: AttemptKey }[]): [string[], string[], number[]] => [
  rows.map(({ key }) => key.id),
  rows.map(({ key }) => key.createdAt.toISOString()),
  rows.map(({ key }) => key.number),
];

const recordSuccesses = statement<never>(
  "record_webhook_successes",
  `WITH sent AS (
     SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::int[], $4::timestamptz[], $5::int[], $6::int[], $7::text[],
                          $8::text[], $9::timestamptz[])
       AS s (id, created_at, number, ended_at, milliseconds, status, body_start, metered_id, metered_at)
   ), ${heldInOrder}, recorded AS (
     UPDATE webhook_attempt a SET ended_at = sent.ended_at, milliseconds = sent.milliseconds, status = sent.status,
            body_start = sent.body_start
       FROM sent WHERE a.delivery_id = sent.id AND a.delivery_at = sent.created_at AND a.number = sent.number
   ), delivered AS (
     UPDATE webhook_delivery d SET state = 'delivered', next_attempt_at = NULL, tried_at = coalesce(d.tried_at, sent.ended_at)
       FROM held JOIN sent USING (id, created_at)
      WHERE d.id = held.id AND d.created_at = held.created_at AND d.state <> 'delivered'
     RETURNING d.id, d.created_at, d.endpoint_id, d.object_id, d.replay_of
   ), billed AS (
     SELECT e.owner_id AS merchant_id, s.time, s.id, NULL::text AS client_id, d.id AS subject
       FROM delivered d
       JOIN webhook_endpoint e ON e.id = d.endpoint_id AND e.owner_kind = 'merchant'
       JOIN (SELECT DISTINCT ON (id) id AS delivery_id, metered_id AS id, metered_at AS time FROM sent ORDER BY id) s ON s.delivery_id = d.id
      WHERE d.replay_of IS NULL AND d.object_id NOT LIKE 'test\\_%'
   ), ${meteringOf("'webhooks_delivered'")} SELECT`,
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

type Arrival = { key: AttemptKey; outcome: AttemptOutcome; businessAt: Date };

const recordTogether = coalesceByPool(async (sql, arrivals: readonly Arrival[]) => {
  await sql.query(recordSuccesses, [
    ...keysOf(arrivals),
    arrivals.map(({ outcome }) => outcome.endedAt.toISOString()),
    arrivals.map(({ outcome }) => outcome.milliseconds),
    arrivals.map(({ outcome }) => outcome.status ?? 0),
    arrivals.map(({ outcome }) => outcome.bodyStart),
    arrivals.map(({ businessAt }) => dateId(newId("mev"), businessAt)),
    arrivals.map(({ businessAt }) => businessAt.toISOString()),
  ]);
  return arrivals.map(() => true);
});

/**
 * Records a success even if another worker has claimed the delivery in the meantime. Concurrent successes share one
 * statement. The first success of a delivery to a merchant's endpoint is metered, except for replays and test events
 * (docs/spec/billing.md, Meters).
 */
export const recordDelivered = async (
  sql: Sql,
  key: AttemptKey,
  arrival: { outcome: AttemptOutcome; businessAt: Date },
): Promise<void> => {
  await recordTogether(sql, { key, ...arrival });
};

/**
 * @param nextAttemptAt null: no further attempt.
 * @returns when the delivery's first attempt ended; null if another worker has taken over the delivery, or if the
 *   delivery was stopped: this attempt then no longer decides the outcome.
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
   ), ${heldInOrder}, removed AS (
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

/** Removes an attempt that was never made, because this process sent nothing. Concurrent calls share one statement. */
export const giveBack = async (sql: Sql, key: AttemptKey, nextAttemptAt: Date): Promise<void> => {
  await giveBackTogether(sql, { key, nextAttemptAt });
};
