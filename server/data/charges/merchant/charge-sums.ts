import type { DaySum } from "../../../charges/rules/payment-trend.ts";
import { type Sql, statement } from "../../client.ts";

const slotOf = (column: string) => `date_bin('15 minutes', ${column}, 'epoch')`;

const insertDue = statement<never>(
  "insert_charge_sum_due",
  `INSERT INTO charge_sum_due (merchant_id, slot)
   SELECT DISTINCT merchant_id, ${slotOf("created_at")} FROM charge
    WHERE (id, created_at) IN (SELECT * FROM unnest($1::text[], $2::timestamptz[]))
    ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
);

type ChargeKey = { id: string; createdAt: Date };

/** Marks the slots of charges that changed. The order of rows prevents deadlocks. */
export const markChargeSumsDue = async (sql: Sql, keys: readonly ChargeKey[]): Promise<void> => {
  if (keys.length === 0) return;
  await sql.query(insertDue, [keys.map(({ id }) => id), keys.map(({ createdAt }) => createdAt.toISOString())]);
};

const insertRecentDue = statement<never>(
  "insert_recent_charge_sums_due",
  // All states are listed so that the index on state and time is used. There is no index on time alone.
  `INSERT INTO charge_sum_due (merchant_id, slot)
   SELECT DISTINCT merchant_id, ${slotOf("created_at")} FROM charge
    WHERE state = ANY (enum_range(NULL::charge_state)) AND created_at > $1::timestamptz
    ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
);

/** Marks the slots of all charges created after this instant. */
export const markRecentChargeSumsDue = async (sql: Sql, since: Date): Promise<void> => {
  await sql.query(insertRecentDue, [since]);
};

type Slot = { merchantId: string; slot: Date };

const takeDue = statement<Slot>(
  "take_charge_sums_due",
  `DELETE FROM charge_sum_due WHERE (merchant_id, slot) IN (
     SELECT merchant_id, slot FROM charge_sum_due WHERE slot < $1::timestamptz ORDER BY slot LIMIT $2::int
        FOR UPDATE SKIP LOCKED
   ) RETURNING merchant_id AS "merchantId", slot`,
);

/** Claims slots that begin before `until`, inside the transaction that sums them. */
export const takeChargeSumsDue = (sql: Sql, { until, limit }: { until: Date; limit: number }): Promise<Slot[]> =>
  sql.query(takeDue, [until, limit]);

const slots = "(SELECT * FROM unnest($1::text[], $2::timestamptz[]) AS one (merchant_id, slot))";

const deleteSums = statement<never>(
  "delete_charge_sums",
  `DELETE FROM charge_sum s USING ${slots} AS one WHERE s.merchant_id = one.merchant_id AND s.slot = one.slot`,
);

const insertSums = statement<never>(
  "insert_charge_sums",
  `INSERT INTO charge_sum (merchant_id, slot, state, currency, decline_code, count, captured, refunded)
   SELECT one.merchant_id, one.slot, c.state, c.currency, coalesce(c.decline_code, ''),
          count(*), sum(c.amount_captured), sum(c.amount_refunded)
     FROM ${slots} AS one JOIN charge c ON c.merchant_id = one.merchant_id
      AND c.created_at >= one.slot AND c.created_at < one.slot + interval '15 minutes'
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 2, 1`,
);

/** Sums the charges of these slots again. */
export const replaceChargeSums = async (sql: Sql, of: readonly Slot[]): Promise<void> => {
  const keys = [of.map(({ merchantId }) => merchantId), of.map(({ slot }) => slot.toISOString())];
  await sql.query(deleteSums, keys);
  await sql.query(insertSums, keys);
};

const daySums = statement<DaySum>(
  "sum_merchant_days",
  `SELECT (at AT TIME ZONE $3)::date::text AS day, state::text AS state, currency,
          nullif(decline_code, '') AS "declineCode", sum(count)::int AS count, sum(captured)::bigint AS captured,
          sum(refunded)::bigint AS refunded
     FROM (
       SELECT slot AS at, state, currency, decline_code, count, captured, refunded FROM charge_sum
        WHERE merchant_id = $1 AND slot >= $2::timestamptz AND slot < $4::timestamptz
       UNION ALL
       SELECT created_at, state, currency, coalesce(decline_code, ''), 1, amount_captured, amount_refunded FROM charge
        WHERE merchant_id = $1 AND created_at >= greatest($2::timestamptz, $4::timestamptz)
     ) AS part
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 3, 2`,
);

type Period = {
  merchantId: string;
  /** the start of a day in the time zone */
  since: Date;
  timeZone: string;
  /** From this slot on, the charges themselves are read. */
  chargesFrom: Date;
};

/** Sums of the charges created since the given instant, by day in the time zone, state, currency and decline code. */
export const sumMerchantDays = (sql: Sql, { merchantId, since, timeZone, chargesFrom }: Period): Promise<DaySum[]> =>
  sql.query(daySums, [merchantId, since, timeZone, chargesFrom]);
