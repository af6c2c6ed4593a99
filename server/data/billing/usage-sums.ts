import { using } from "../charges/charges.ts";
import { type Sql, statement } from "../client.ts";
import { callMeters } from "./meters/metering.ts";

/** The sum of one meter in one window. */
export type UsageSum = {
  kind: "mandates" | "charges" | "calls" | "own";
  /** from 1 */
  slot: number;
  /** the currency of charges, otherwise the meter */
  name: string;
  count: bigint;
  /** amount of charges, quantity of own meters */
  quantity: string;
};

// $1 merchant; $2 the bounds of the windows; $3 and $4 the hours and minutes that a bound divides, which are counted
// event by event; $5 one of the merchant's own meters (null: all); $6 the number of own meters.
const first = "($2::timestamptz[])[1]";
const last = "($2::timestamptz[])[cardinality($2::timestamptz[])]";
const slotOf = (time: string) => `width_bucket(${time}, $2::timestamptz[])`;
const inWindows = (time: string) => `${time} >= ${first} AND ${time} < ${last}`;
const inUnit = (time: string, unit: "hour" | "minute") =>
  `${time} >= greatest(u.start, ${first}) AND ${time} < least(u.start + interval '1 ${unit}', ${last})`;

// OFFSET 0 makes PostgreSQL look up each divided hour and minute. Otherwise, for a merchant with many more events than
// the average merchant, it could read all events of the merchant and compare them with the hours and minutes.
const sum = statement<UsageSum>(
  "sum_usage",
  `WITH taken AS (
     SELECT ${slotOf("c.final_at")} AS slot, c.mandate_id, c.currency, c.amount_captured FROM charge c
      WHERE c.merchant_id = $1 AND ${inWindows("c.final_at")} AND c.created_at < ${last} AND c.state IN ${using}
   ), called AS (
     SELECT ${slotOf("m.minute")} AS slot, 'verifications' AS meter, m.count FROM verification_minute m
      WHERE m.merchant_id = $1 AND ${inWindows("m.minute")} AND m.minute <> ALL ($4::timestamptz[])
     UNION ALL SELECT ${slotOf("v.time")}, 'verifications', 1 FROM unnest($4::timestamptz[]) AS u (start) CROSS JOIN LATERAL (
       SELECT v.time FROM verification v WHERE v.merchant_id = $1 AND ${inUnit("v.time", "minute")} OFFSET 0) AS v
     UNION ALL SELECT ${slotOf("m.minute")}, m.meter, m.count FROM meter_minute m
       WHERE m.merchant_id = $1 AND m.meter = ANY (${callMeters}) AND ${inWindows("m.minute")} AND m.minute <> ALL ($4::timestamptz[])
     UNION ALL SELECT ${slotOf("e.time")}, e.meter, 1 FROM unnest($4::timestamptz[]) AS u (start) CROSS JOIN LATERAL (
       SELECT e.time, e.meter FROM meter_event e
        WHERE e.merchant_id = $1 AND e.meter = ANY (${callMeters}) AND ${inUnit("e.time", "minute")} OFFSET 0) AS e
   ), reported AS (
     SELECT ${slotOf("h.hour")} AS slot, h.meter, h.count, h.quantity FROM usage_hour h
      WHERE h.merchant_id = $1 AND ${inWindows("h.hour")} AND h.hour <> ALL ($3::timestamptz[]) AND ($5::text IS NULL OR h.meter = $5)
     UNION ALL SELECT ${slotOf("e.time")}, e.meter, 1, e.quantity FROM unnest($3::timestamptz[]) AS u (start) CROSS JOIN LATERAL (
       SELECT e.time, e.meter, e.quantity FROM usage_event e
        WHERE e.merchant_id = $1 AND ${inUnit("e.time", "hour")} AND ($5::text IS NULL OR e.meter = $5) OFFSET 0) AS e
   ), own AS (SELECT DISTINCT meter FROM reported ORDER BY meter LIMIT $6::int)
   SELECT 'mandates' AS kind, slot, 'active_mandates' AS name, count(DISTINCT mandate_id) AS count, '0' AS quantity FROM taken GROUP BY slot
   UNION ALL SELECT 'charges', slot, currency, count(*), sum(amount_captured)::text FROM taken GROUP BY slot, currency
   UNION ALL SELECT 'calls', slot, meter, sum(count)::bigint, '0' FROM called GROUP BY slot, meter
   UNION ALL SELECT 'own', slot, meter, sum(count)::bigint, sum(quantity)::text FROM reported JOIN own USING (meter) GROUP BY slot, meter
   ORDER BY slot, kind, name`,
);

type SumsQuery = {
  merchantId: string;
  /** the bounds of adjacent windows: the start of each, and the end of the last */
  bounds: readonly Date[];
  /** the starts of the hours and minutes that a bound divides; the others are read from sums */
  divided: { hours: readonly Date[]; minutes: readonly Date[] };
  /** `meter`: only this one of the merchant's own meters (null: all); `limit`: the first meters by name, at most */
  own: { meter: string | null; limit: number };
};

const toTexts = (instants: readonly Date[]): string[] => instants.map((at) => at.toISOString());

/** The usage of one merchant in each window, with consistent figures. Windows without usage have no sums. */
export const sumUsage = (sql: Sql, { merchantId, bounds, divided, own }: SumsQuery): Promise<UsageSum[]> =>
  sql.query(sum, [merchantId, toTexts(bounds), toTexts(divided.hours), toTexts(divided.minutes), own.meter, own.limit]);
