import { type Sql, type Statement, statement } from "../../client.ts";
import { capturedInDays, sumChargesOfDays } from "./charge-sums.ts";
import { type MeteredPeriod, ownPrefix } from "./metered-events.ts";

const dayOf = (time: string) => `date_trunc('day', ${time}, 'UTC')`;
const inDays = (time: string) => `${time} >= $1::timestamptz AND ${time} < $2::timestamptz`;

/** What the meters count: the sums per hour and minute. */
const sums = (ofMerchant: string) => `
     SELECT merchant_id, ${dayOf("hour")} AS day, '${ownPrefix}' || meter AS meter, count::numeric, quantity FROM usage_hour
      WHERE ${inDays("hour")} ${ofMerchant}
     UNION ALL SELECT merchant_id, ${dayOf("minute")}, 'verifications', count, count FROM verification_minute
      WHERE ${inDays("minute")} ${ofMerchant}
     UNION ALL SELECT merchant_id, ${dayOf("minute")}, meter, count, count FROM meter_minute
      WHERE ${inDays("minute")} ${ofMerchant}`;

/** Their sources: the recorded events. */
const events = (ofMerchant: string) => `
     SELECT merchant_id, ${dayOf("time")} AS day, '${ownPrefix}' || meter AS meter, count(*)::numeric AS count, sum(quantity) AS quantity
       FROM usage_event WHERE ${inDays("time")} ${ofMerchant} GROUP BY 1, 2, 3
     UNION ALL SELECT merchant_id, ${dayOf("time")}, 'verifications', count(*), count(*)
       FROM verification WHERE ${inDays("time")} ${ofMerchant} GROUP BY 1, 2
     UNION ALL SELECT merchant_id, ${dayOf("time")}, meter, count(*), count(*)
       FROM meter_event WHERE ${inDays("time")} ${ofMerchant} GROUP BY 1, 2, 3`;

const isDifferent = "(metered_count <> source_count OR metered_quantity <> source_quantity)";
const chargeMeters = "('successful_charges', 'active_mandates')";

/**
 * Stores the results of a comparison. If a difference was stored for a meter that no longer has sums or events on that
 * day, the difference was corrected, so zeros are stored.
 */
const store = (meters: string) => `
   INSERT INTO meter_reconciliation
     (merchant_id, day, meter, metered_count, metered_quantity, source_count, source_quantity, checked_at)
   SELECT u.*, now() FROM (
     SELECT merchant_id, day, meter COLLATE "C" AS meter, metered_count, metered_quantity, source_count, source_quantity FROM compared
     UNION ALL SELECT merchant_id, day, meter COLLATE "C", 0, 0, 0, 0 FROM meter_reconciliation r
      WHERE ${inDays("day")} AND ${isDifferent} AND ${meters} AND NOT EXISTS (
        SELECT FROM compared c WHERE c.merchant_id = r.merchant_id AND c.day = r.day AND c.meter COLLATE "C" = r.meter)) u
    ORDER BY 1, 2, 3
   ON CONFLICT (merchant_id, day, meter) DO UPDATE SET metered_count = excluded.metered_count,
     metered_quantity = excluded.metered_quantity, source_count = excluded.source_count,
     source_quantity = excluded.source_quantity, checked_at = excluded.checked_at`;

const compareSums = (name: string, ofMerchant: string): Statement<never> =>
  statement(
    name,
    `WITH metered AS (
     SELECT merchant_id, day, meter, sum(count) AS count, sum(quantity) AS quantity FROM (${sums(ofMerchant)}) s GROUP BY 1, 2, 3
   ), source AS (${events(ofMerchant)}
   ), compared AS (
     SELECT merchant_id, day, meter, coalesce(metered.count, 0) AS metered_count, coalesce(metered.quantity, 0) AS metered_quantity,
            coalesce(source.count, 0) AS source_count, coalesce(source.quantity, 0) AS source_quantity
       FROM metered FULL JOIN source USING (merchant_id, day, meter)
   )${store(`meter NOT IN ${chargeMeters} ${ofMerchant}`)}`,
  );

const compareMerchant = compareSums("compare_meters_of_merchant", "AND merchant_id = $3");
const compareOfAll = compareSums("compare_meters", "");

// The sums of charges are computed directly before this comparison. They are compared with the events that report the
// captures: each event is written in the transaction of its capture, with the same time.
const compareCharges = statement<never>(
  "compare_charges",
  `WITH metered AS (
     SELECT merchant_id, day, 'successful_charges' AS meter, sum(count) AS count, sum(amount * count) AS quantity
       FROM charge_amount_day WHERE ${inDays("day")} GROUP BY 1, 2
     UNION ALL SELECT merchant_id, day, 'active_mandates', count(*), count(*) FROM charge_mandate_day WHERE ${inDays("day")} GROUP BY 1, 2
   ), taken AS (
     SELECT c.merchant_id, ${dayOf("c.final_at")} AS day, e.id AS event_id,
            (e.data->>'amount_captured')::numeric AS reported, e.data->>'mandate_id' AS reported_mandate
       FROM charge c LEFT JOIN LATERAL (
         SELECT e.id, e.data FROM event e WHERE e.object_id = c.id AND e.created_at = c.final_at
            AND e.type IN ('charge.succeeded', 'charge.captured') ORDER BY e.sequence LIMIT 1) e ON true
      WHERE ${capturedInDays}
   ), source AS (
     SELECT merchant_id, day, 'successful_charges' AS meter, count(event_id) AS count, coalesce(sum(reported), 0) AS quantity
       FROM taken GROUP BY 1, 2
     UNION ALL SELECT merchant_id, day, 'active_mandates', count(DISTINCT reported_mandate), count(DISTINCT reported_mandate)
       FROM taken GROUP BY 1, 2
   ), compared AS (
     SELECT merchant_id, day, meter, coalesce(metered.count, 0) AS metered_count, coalesce(metered.quantity, 0) AS metered_quantity,
            coalesce(source.count, 0) AS source_count, coalesce(source.quantity, 0) AS source_quantity
       FROM metered FULL JOIN source USING (merchant_id, day, meter)
   )${store(`meter IN ${chargeMeters}`)}`,
);

/** The results of one UTC day: how many meters of merchants were compared, and how many differ from their source. */
export type Comparison = { day: Date; compared: bigint; differences: bigint };

const storeDays = statement<Comparison>(
  "store_reconciled_days",
  `INSERT INTO meter_reconciliation_day (day, compared, differences, checked_at)
   SELECT d.day, count(r.meter), count(r.meter) FILTER (WHERE ${isDifferent}), now()
     FROM generate_series($1::timestamptz, $2::timestamptz - interval '24 hours', interval '24 hours') d (day)
     LEFT JOIN meter_reconciliation r ON r.day = d.day GROUP BY 1 ORDER BY 1
   ON CONFLICT (day) DO UPDATE SET compared = excluded.compared, differences = excluded.differences, checked_at = excluded.checked_at
   RETURNING day, compared, differences`,
);

/**
 * Sums the charges of full UTC days, compares all meters of all merchants with their sources, and stores the results.
 * Call it in its own transaction, after the end of the last day.
 * @param days start of the first day and end of the last one
 */
export const compareDays = async (sql: Sql, { from, to }: MeteredPeriod): Promise<Comparison[]> => {
  await sumChargesOfDays(sql, { from, to });
  await sql.query(compareOfAll, [from, to]);
  await sql.query(compareCharges, [from, to]);
  return sql.query(storeDays, [from, to]);
};

/**
 * Compares one merchant's meters, except those of charges, with the events of full UTC days, and stores the results.
 */
export const compareOfMerchant = async (
  sql: Sql,
  { merchantId, days }: { merchantId: string; days: MeteredPeriod },
): Promise<void> => {
  await sql.query(compareMerchant, [days.from, days.to, merchantId]);
};
