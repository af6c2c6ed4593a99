import { using } from "../../charges/charges.ts";
import { type Sql, type Statement, statement } from "../../client.ts";
import { sumChargesOfDay } from "./charge-sums.ts";
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

const store = (compared: string) => `, stored AS (
     INSERT INTO meter_reconciliation AS r
       (merchant_id, day, meter, metered_count, metered_quantity, source_count, source_quantity, checked_at)
     SELECT merchant_id, day, meter, metered_count, metered_quantity, source_count, source_quantity, now() FROM ${compared}
      ORDER BY merchant_id, day, meter COLLATE "C"
     ON CONFLICT (merchant_id, day, meter) DO UPDATE SET metered_count = excluded.metered_count,
       metered_quantity = excluded.metered_quantity, source_count = excluded.source_count,
       source_quantity = excluded.source_quantity, checked_at = excluded.checked_at
     RETURNING (r.metered_count <> r.source_count OR r.metered_quantity <> r.source_quantity) AS different
   ) SELECT count(*) AS compared, count(*) FILTER (WHERE different) AS differences FROM stored`;

/** How many meters were compared, per merchant and day, and how many differ from their source. */
export type Comparison = { compared: bigint; differences: bigint };

const compareSums = (name: string, ofMerchant: string): Statement<Comparison> =>
  statement(
    name,
    `WITH metered AS (
     SELECT merchant_id, day, meter, sum(count) AS count, sum(quantity) AS quantity FROM (${sums(ofMerchant)}) s GROUP BY 1, 2, 3
   ), source AS (${events(ofMerchant)}
   ), compared AS (
     SELECT merchant_id, day, meter, coalesce(metered.count, 0) AS metered_count, coalesce(metered.quantity, 0) AS metered_quantity,
            coalesce(source.count, 0) AS source_count, coalesce(source.quantity, 0) AS source_quantity
       FROM metered FULL JOIN source USING (merchant_id, day, meter)
   )${store("compared")}`,
  );

const compareOfMerchant = compareSums("compare_meters_of_merchant", "AND merchant_id = $3");
const compareOfAll = compareSums("compare_meters", "");

// The sums of charges are made directly before. Their source is the event that reports the capture, which is written in
// the transaction of the capture, with the same time.
const compareCharges = statement<Comparison>(
  "compare_charges",
  `WITH metered AS (
     SELECT merchant_id, 'successful_charges' AS meter, sum(count) AS count, sum(amount * count) AS quantity
       FROM charge_amount_day WHERE ${inDays("day")} GROUP BY 1
     UNION ALL SELECT merchant_id, 'active_mandates', count(*), count(*) FROM charge_mandate_day WHERE ${inDays("day")} GROUP BY 1
   ), taken AS (
     SELECT c.merchant_id, e.id AS event_id,
            (e.data->>'amount_captured')::numeric AS reported, e.data->>'mandate_id' AS reported_mandate
       FROM charge c LEFT JOIN LATERAL (
         SELECT e.id, e.data FROM event e WHERE e.object_id = c.id AND e.created_at = c.final_at
            AND e.type IN ('charge.succeeded', 'charge.captured') ORDER BY e.sequence LIMIT 1) e ON true
      WHERE c.final_at >= $1::timestamptz AND c.final_at < $2::timestamptz AND c.created_at < $2::timestamptz AND c.state IN ${using}
   ), source AS (
     SELECT merchant_id, 'successful_charges' AS meter, count(event_id) AS count, coalesce(sum(reported), 0) AS quantity FROM taken GROUP BY 1
     UNION ALL SELECT merchant_id, 'active_mandates', count(DISTINCT reported_mandate), count(DISTINCT reported_mandate) FROM taken GROUP BY 1
   ), compared AS (
     SELECT merchant_id, $1::timestamptz AS day, meter, coalesce(metered.count, 0) AS metered_count, coalesce(metered.quantity, 0) AS metered_quantity,
            coalesce(source.count, 0) AS source_count, coalesce(source.quantity, 0) AS source_quantity
       FROM metered FULL JOIN source USING (merchant_id, meter)
   )${store("compared")}`,
);

const dayMs = 24 * 3600 * 1000;

/** The UTC days that a period touches. */
const daysOf = ({ from, to }: MeteredPeriod): MeteredPeriod => ({
  from: new Date(Math.floor(from.getTime() / dayMs) * dayMs),
  to: new Date(Math.ceil(to.getTime() / dayMs) * dayMs),
});

const findDifferent = statement<{ meter: string }>(
  "find_different_meter",
  `SELECT meter FROM meter_reconciliation WHERE merchant_id = $3 AND day >= $1::timestamptz AND day < $2::timestamptz
      AND (metered_count <> source_count OR metered_quantity <> source_quantity) LIMIT 1`,
);

/**
 * Compares a merchant's meters with the events of a period, day by day, and stores the results. Call it in the
 * transaction that uses the meters.
 * @returns whether every meter equals its source. For charges, this is the result of the daily job.
 */
export const isReconciled = async (
  sql: Sql,
  { merchantId, period }: { merchantId: string; period: MeteredPeriod },
): Promise<boolean> => {
  const { from, to } = daysOf(period);
  await sql.query(compareOfMerchant, [from, to, merchantId]);
  return (await sql.query(findDifferent, [from, to, merchantId])).length === 0;
};

const storeDay = statement<never>(
  "store_reconciled_day",
  `INSERT INTO meter_reconciliation_day (day, compared, differences, checked_at) VALUES ($1::timestamptz, $2::bigint, $3::bigint, now())
   ON CONFLICT (day) DO UPDATE SET compared = excluded.compared, differences = excluded.differences, checked_at = excluded.checked_at`,
);

/**
 * Sums the charges of one UTC day, compares all meters of all merchants with their sources, and stores the results. Call
 * it in its own transaction.
 */
export const compareDay = async (sql: Sql, day: Date): Promise<Comparison> => {
  const next = new Date(day.getTime() + dayMs);
  await sumChargesOfDay(sql, { from: day, to: next });
  const results = [...(await sql.query(compareOfAll, [day, next])), ...(await sql.query(compareCharges, [day, next]))];
  const total = results.reduce(
    (sum, one) => ({ compared: sum.compared + one.compared, differences: sum.differences + one.differences }),
    { compared: 0n, differences: 0n },
  );
  await sql.query(storeDay, [day, total.compared, total.differences]);
  return total;
};

const findLast = statement<{ day: Date }>(
  "find_last_reconciled_day",
  "SELECT max(day) AS day FROM meter_reconciliation_day",
);

/** The latest UTC day that was compared; null if there is none. */
export const findLastReconciledDay = async (sql: Sql): Promise<Date | null> =>
  (await sql.query(findLast, []))[0]?.day ?? null;
