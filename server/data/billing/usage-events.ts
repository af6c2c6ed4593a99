import { type Sql, statement } from "../client.ts";

/** The key with which a merchant identifies its events. */
type UsageKey = { source: string; eventId: string };

/** An event of a merchant's own meters, as recorded. */
type EnteringUsage = UsageKey & {
  /** our id, which contains the instant of the event */
  id: string;
  meter: string;
  subject: string | null;
  quantity: number;
  time: Date;
  bodyHash: string;
};

// All keys first, then all hours, each in a fixed order, so that two batches with the same keys or hours can't
// deadlock.
const insert = statement<UsageKey>(
  "insert_usage_events",
  `WITH sent AS (
     SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::timestamptz[], $10::text[])
       AS sent (id, source, event_id, meter, subject, quantity, time, body_hash)),
   entered AS (
     INSERT INTO usage_event_key AS k (merchant_id, source, event_id, body_hash, time)
     SELECT $1, source, event_id, body_hash, time FROM sent ORDER BY source COLLATE "C", event_id COLLATE "C"
     ON CONFLICT (merchant_id, source, event_id) DO UPDATE SET body_hash = excluded.body_hash, time = excluded.time
      WHERE k.time < $11::timestamptz
     RETURNING source, event_id),
   fresh AS (SELECT s.* FROM sent s JOIN entered e ON e.source = s.source COLLATE "C" AND e.event_id = s.event_id COLLATE "C"),
   kept AS (
     INSERT INTO usage_event (merchant_id, time, id, source, event_id, meter, subject, quantity, received_at)
     SELECT $1, time, id, source, event_id, meter, subject, quantity,
            greatest($2::timestamptz, (SELECT cut_off_at FROM billing_usage_cut_off WHERE merchant_id = $1)) FROM fresh),
   counted AS (
     INSERT INTO usage_hour AS h (merchant_id, hour, meter, count, quantity)
     SELECT $1, date_trunc('hour', time, 'UTC') AS hour, meter, count(*), sum(quantity) FROM fresh GROUP BY hour, meter ORDER BY hour, meter COLLATE "C"
     ON CONFLICT (merchant_id, hour, meter) DO UPDATE SET count = h.count + excluded.count, quantity = h.quantity + excluded.quantity)
   SELECT source, event_id AS "eventId" FROM entered`,
);

type NewEvents = { merchantId: string; receivedAt: Date; keyedSince: Date; events: readonly EnteringUsage[] };

/**
 * Records the events whose (source, event id) the merchant hasn't used for an event since `keyedSince`. Of two
 * concurrent requests with the same key, one records the event. Call `shareUsageIntake` first. The time of receipt is
 * `receivedAt` or, if it is later, the last cut-off of the merchant's usage: another process's clock may be ahead.
 * @param events at most one per key.
 * @returns the keys of the recorded events.
 */
export const insertUsageEvents = async (
  sql: Sql,
  { merchantId, receivedAt, keyedSince, events }: NewEvents,
): Promise<UsageKey[]> =>
  sql.query(insert, [
    merchantId,
    receivedAt,
    events.map(({ id }) => id),
    events.map(({ source }) => source),
    events.map(({ eventId }) => eventId),
    events.map(({ meter }) => meter),
    events.map(({ subject }) => subject),
    events.map(({ quantity }) => quantity),
    events.map(({ time }) => time.toISOString()),
    events.map(({ bodyHash }) => bodyHash),
    keyedSince,
  ]);

/** `time`: of the event that the key identifies */
type KnownEvent = UsageKey & { bodyHash: string; time: Date };

const findHashes = statement<KnownEvent>(
  "find_usage_event_hashes",
  `SELECT k.source, k.event_id AS "eventId", k.body_hash AS "bodyHash", k.time
     FROM unnest($2::text[], $3::text[]) AS sent (source, event_id)
     JOIN usage_event_key k ON k.merchant_id = $1 AND k.source = sent.source COLLATE "C" AND k.event_id = sent.event_id COLLATE "C"`,
);

/**
 * The merchant's recorded events with these keys. They are read by a separate statement, which also sees events that a
 * concurrent request has just recorded.
 */
export const findUsageEventHashes = (sql: Sql, merchantId: string, keys: readonly UsageKey[]): Promise<KnownEvent[]> =>
  sql.query(findHashes, [merchantId, keys.map(({ source }) => source), keys.map(({ eventId }) => eventId)]);
