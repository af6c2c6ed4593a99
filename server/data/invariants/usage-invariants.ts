import { using } from "../charges/charges.ts";
import { type Invariant, invariant } from "./invariant.ts";

// Older data may be incomplete: months are deleted one table at a time.
const aYearAgo = "date_trunc('hour', now() - interval '1 year', 'UTC')";

// The days whose sums are final.
const summedDays = `(SELECT day FROM meter_reconciliation_day
             WHERE day >= date_trunc('day', now() - interval '1 year', 'UTC') AND checked_at >= day + interval '25 hours')`;
const countedOn = (day: string) =>
  `c.final_at >= ${day} AND c.final_at < ${day} + interval '1 day' AND c.state IN ${using}`;

export const usageInvariants: readonly Invariant[] = [
  invariant(
    "usage_event_keys",
    "each key of a merchant's usage events identifies exactly one event",
    `SELECT concat_ws(' ', k.merchant_id, k.source, k.event_id) AS subject, format('%s events', count(e.id)) AS problem
     FROM usage_event_key k LEFT JOIN usage_event e ON e.merchant_id = k.merchant_id AND e.time = k.time
       AND e.source = k.source COLLATE "C" AND e.event_id = k.event_id COLLATE "C"
     GROUP BY k.merchant_id, k.source, k.event_id HAVING count(e.id) <> 1`,
  ),
  invariant(
    "usage_hours",
    "an hourly sum of a merchant's own meter equals the sum of its events",
    `SELECT concat_ws(' ', merchant_id, meter, hour) AS subject,
       format('quantity %s from %s events, but the events have quantity %s from %s events', h.quantity, h.count, e.quantity, e.count) AS problem
     FROM (SELECT merchant_id, date_trunc('hour', time, 'UTC') AS hour, meter COLLATE "C" AS meter, count(*) AS count, sum(quantity) AS quantity
             FROM usage_event WHERE time >= ${aYearAgo} GROUP BY 1, 2, 3) e
     FULL JOIN (SELECT * FROM usage_hour WHERE hour >= ${aYearAgo}) h USING (merchant_id, hour, meter)
     WHERE e.count IS DISTINCT FROM h.count OR e.quantity IS DISTINCT FROM h.quantity`,
  ),
  invariant(
    "verification_minutes",
    "a per-minute sum of a merchant's verifications counts each verification once",
    `SELECT concat_ws(' ', merchant_id, minute) AS subject,
       format('%s counted, but there are %s', coalesce(m.count, 0), coalesce(v.count, 0)) AS problem
     FROM (SELECT merchant_id, date_trunc('minute', time, 'UTC') AS minute, count(*) AS count FROM verification WHERE time >= ${aYearAgo} GROUP BY 1, 2) v
     FULL JOIN (SELECT merchant_id, minute, sum(count) AS count FROM verification_minute WHERE minute >= ${aYearAgo} GROUP BY 1, 2) m USING (merchant_id, minute)
     WHERE v.count IS DISTINCT FROM m.count`,
  ),
  invariant(
    "meter_minutes",
    "a per-minute sum of a meter counts each event of the meter once",
    `SELECT concat_ws(' ', merchant_id, meter, minute) AS subject,
       format('%s counted, but there are %s', coalesce(m.count, 0), coalesce(e.count, 0)) AS problem
     FROM (SELECT merchant_id, meter, date_trunc('minute', time, 'UTC') AS minute, count(*) AS count FROM meter_event WHERE time >= ${aYearAgo} GROUP BY 1, 2, 3) e
     FULL JOIN (SELECT merchant_id, meter, minute, sum(count) AS count FROM meter_minute WHERE minute >= ${aYearAgo} GROUP BY 1, 2, 3) m USING (merchant_id, meter, minute)
     WHERE e.count IS DISTINCT FROM m.count`,
  ),
  invariant(
    "charge_amount_days",
    "a daily sum of captured amounts counts each charge once",
    `SELECT concat_ws(' ', merchant_id, currency, day, amount) AS subject,
       format('%s counted, but there are %s', coalesce(d.count, 0), coalesce(c.count, 0)) AS problem
     FROM (SELECT c.merchant_id, c.currency, s.day, c.amount_captured AS amount, count(*) AS count
             FROM ${summedDays} s JOIN charge c ON ${countedOn("s.day")} GROUP BY 1, 2, 3, 4) c
     FULL JOIN (SELECT d.* FROM charge_amount_day d JOIN ${summedDays} s USING (day)) d USING (merchant_id, currency, day, amount)
     WHERE c.count IS DISTINCT FROM d.count`,
  ),
  invariant(
    "charge_mandate_days",
    "the mandates counted for a day are those that were charged on that day",
    `SELECT concat_ws(' ', merchant_id, day, mandate_id) AS subject,
       format('the first charge is recorded at %s, but was at %s', d.first_at, c.first_at) AS problem
     FROM (SELECT c.merchant_id, s.day, c.mandate_id, min(c.final_at) AS first_at
             FROM ${summedDays} s JOIN charge c ON ${countedOn("s.day")} GROUP BY 1, 2, 3) c
     FULL JOIN (SELECT d.* FROM charge_mandate_day d JOIN ${summedDays} s USING (day)) d USING (merchant_id, day, mandate_id)
     WHERE c.first_at IS DISTINCT FROM d.first_at`,
  ),
];
