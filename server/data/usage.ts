import { instantOf } from "../kernel/dated.ts";
import { using } from "./charge-states.ts";
import { type Sql, statement } from "./client.ts";
import { spanOf } from "./dated.ts";

type Period = { from: Date; to: Date };

// What was taken in a period, by the instant at which the charge came to its end: that, the amount and the mandate never
// change afterwards, whatever is given back or disputed later.
const taken = `FROM charge c WHERE c.merchant_id = $1 AND c.final_at >= $2::timestamptz AND c.final_at < $3::timestamptz
    AND c.created_at < $3::timestamptz AND c.state IN ${using}`;
// What the merchant told of its own meters, by when it happened.
const told = (from: string, to: string) =>
  `FROM usage_event e WHERE e.merchant_id = $1 AND e.time >= ${from}::timestamptz AND e.time < ${to}::timestamptz`;

export type UsageSums = {
  mandates: number;
  amounts: { currency: string; count: number; amount: string }[];
  own: { meter: string; count: number; quantity: string }[];
};

const sum = statement<UsageSums>(
  "sum_usage",
  `WITH taken AS (SELECT c.mandate_id, c.currency, c.amount_captured ${taken})
   SELECT (SELECT count(DISTINCT mandate_id)::int FROM taken) AS mandates, coalesce((
     SELECT json_agg(json_build_object('currency', s.currency, 'count', s.count, 'amount', s.amount::text) ORDER BY s.currency)
       FROM (SELECT currency, count(*) AS count, sum(amount_captured) AS amount FROM taken GROUP BY currency) s), '[]') AS amounts, coalesce((
     SELECT json_agg(json_build_object('meter', o.meter, 'count', o.count, 'quantity', o.quantity::text) ORDER BY o.meter)
       FROM (SELECT u.meter, sum(u.count) AS count, sum(u.quantity) AS quantity FROM (
               SELECT e.meter, 1 AS count, e.quantity::numeric ${told("$2", "$6")}
               UNION ALL SELECT h.meter, h.count, h.quantity FROM usage_hour h
                 WHERE h.merchant_id = $1 AND h.hour >= $6::timestamptz AND h.hour < $7::timestamptz
               UNION ALL SELECT e.meter, 1, e.quantity ${told("$7", "$3")}) u
             WHERE $4::text IS NULL OR u.meter = $4 GROUP BY u.meter ORDER BY u.meter LIMIT $5::int) o), '[]') AS own`,
);

type SumsAsked = {
  merchantId: string;
  period: Period;
  /** those of the period's hours that are read as their sums; the rest is read event by event */
  hours: Period;
  /** which of the merchant's own meters (null: all); one more than `limit` where there are more */
  own: { meter: string | null; limit: number };
};

/** Of one merchant, as of one instant. */
export const sumUsage = async (sql: Sql, { merchantId, period, hours, own }: SumsAsked): Promise<UsageSums> => {
  const values = [merchantId, period.from, period.to, own.meter, own.limit + 1, hours.from, hours.to];
  return (await sql.query(sum, values))[0] ?? { mandates: 0, amounts: [], own: [] };
};

type OfCharge = { mandateId: string; currency: string; amount: bigint };
type OfOwnMeter = { source: string; eventId: string; subject: string | null; quantity: bigint; receivedAt: Date };
type None<T> = { [Name in keyof T]: null };

/** What is of no charge has no mandate. */
export type UsageEvent = { id: string; time: Date; meter: string } & (
  | (OfCharge & None<OfOwnMeter>)
  | (OfOwnMeter & None<OfCharge>)
);

const chargeMeter = "'successful_charges'";

// Each half is cut before they are put together: a page costs a page, however long the period.
const list = statement<UsageEvent>(
  "list_usage_events",
  `SELECT * FROM (
     (SELECT c.id, c.final_at AS time, ${chargeMeter} AS meter, c.mandate_id AS "mandateId", c.currency, c.amount_captured AS amount,
             NULL AS source, NULL AS "eventId", NULL AS subject, NULL::bigint AS quantity, NULL::timestamptz AS "receivedAt"
        ${taken} AND ($4::text IS NULL OR $4 = ${chargeMeter})
        AND ($5::timestamptz IS NULL OR (c.final_at, c.id) > ($5::timestamptz, $6::text))
      ORDER BY c.final_at, c.id LIMIT $7::int)
     UNION ALL
     (SELECT e.id, e.time, e.meter, NULL, NULL, NULL, e.source, e.event_id, e.subject, e.quantity, e.received_at
        ${told("$2", "$3")} AND ($4::text IS NULL OR e.meter = $4)
        AND ($5::timestamptz IS NULL OR (e.time, e.id) > ($5::timestamptz, $6::text))
      ORDER BY e.time, e.id LIMIT $7::int)
   ) AS listed ORDER BY time, id LIMIT $7::int`,
);

type Place = { at: Date; id: string };
type Listed = { merchantId: string; period: Period; meter: string | null; after: Place | null; limit: number };

/** Oldest first, of all meters or of one. One more than `limit` where there are more. */
export const findUsageEvents = (sql: Sql, { merchantId, period, meter, after, limit }: Listed): Promise<UsageEvent[]> =>
  sql.query(list, [merchantId, period.from, period.to, meter, after?.at ?? null, after?.id ?? null, limit + 1]);

const chargePlace = statement<Place>(
  "find_charge_usage_place",
  `SELECT id, final_at AS at FROM charge
    WHERE id = $1 AND merchant_id = $2 AND state IN ${using} AND created_at BETWEEN $3::timestamptz AND $4::timestamptz`,
);
const ownPlace = statement<Place>(
  "find_own_usage_place",
  "SELECT id, time AS at FROM usage_event WHERE id = $1 AND merchant_id = $2 AND time = $3::timestamptz",
);

/** Where one of the merchant's events stands in such lists; null for a charge by which nothing was taken, and for none at all. */
export const findUsagePlace = async (
  sql: Sql,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<Place | null> => {
  const rows = id.startsWith("uev_")
    ? await sql.query(ownPlace, [id, merchantId, instantOf(id)])
    : await sql.query(chargePlace, [id, merchantId, ...spanOf(id)]);
  return rows[0] ?? null;
};
