import { using } from "./charge-states.ts";
import { type Sql, statement } from "./client.ts";
import { spanOf } from "./dated.ts";

type Period = { from: Date; to: Date };

// What was taken in a period, by the instant at which the charge came to its end: that, the amount and the mandate never
// change afterwards, whatever is given back or disputed later.
const taken = `FROM charge c WHERE c.merchant_id = $1 AND c.final_at >= $2::timestamptz AND c.final_at < $3::timestamptz
    AND c.created_at < $3::timestamptz AND c.state IN ${using}`;

export type UsageSums = { mandates: number; amounts: { currency: string; count: number; amount: string }[] };

const sum = statement<UsageSums>(
  "sum_usage",
  `WITH taken AS (SELECT c.mandate_id, c.currency, c.amount_captured ${taken})
   SELECT (SELECT count(DISTINCT mandate_id)::int FROM taken) AS mandates, coalesce((
     SELECT json_agg(json_build_object('currency', s.currency, 'count', s.count, 'amount', s.amount::text) ORDER BY s.currency)
       FROM (SELECT currency, count(*) AS count, sum(amount_captured) AS amount FROM taken GROUP BY currency) s), '[]') AS amounts`,
);

/** Of one merchant's charges, as of one instant. */
export const sumUsage = async (sql: Sql, merchantId: string, { from, to }: Period): Promise<UsageSums> =>
  (await sql.query(sum, [merchantId, from, to]))[0] ?? { mandates: 0, amounts: [] };

export type UsageEvent = { id: string; at: Date; mandateId: string; currency: string; amount: bigint };

const list = statement<UsageEvent>(
  "list_usage_events",
  `SELECT c.id, c.final_at AS at, c.mandate_id AS "mandateId", c.currency, c.amount_captured AS amount ${taken}
     AND ($4::timestamptz IS NULL OR (c.final_at, c.id) > ($4::timestamptz, $5::text))
   ORDER BY c.final_at, c.id LIMIT $6::int`,
);

type Place = { at: Date; id: string };

/** Oldest first. One more than `limit` where there are more. */
export const findUsageEvents = (
  sql: Sql,
  { merchantId, period, after, limit }: { merchantId: string; period: Period; after: Place | null; limit: number },
): Promise<UsageEvent[]> =>
  sql.query(list, [merchantId, period.from, period.to, after?.at ?? null, after?.id ?? null, limit + 1]);

const place = statement<Place>(
  "find_usage_place",
  `SELECT id, final_at AS at FROM charge
    WHERE id = $1 AND merchant_id = $2 AND state IN ${using} AND created_at BETWEEN $3::timestamptz AND $4::timestamptz`,
);

/** Where one of the merchant's charges stands in such lists; null where nothing was taken by it. */
export const findUsagePlace = async (
  sql: Sql,
  { merchantId, chargeId }: { merchantId: string; chargeId: string },
): Promise<Place | null> => (await sql.query(place, [chargeId, merchantId, ...spanOf(chargeId)]))[0] ?? null;
