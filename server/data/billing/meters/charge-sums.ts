import { setImmediate as nextTurn } from "node:timers/promises";
import { using } from "../../charges/charges.ts";
import { type Sql, statement } from "../../client.ts";
import type { MeteredPeriod, MeteredUsage } from "./metered-events.ts";
import { divideBySums } from "./summed-days.ts";

/** SQL: whether charge `c` counts as captured in the UTC days from $1 up to, but not including, $2. */
export const capturedInDays = `c.final_at >= $1::timestamptz AND c.final_at < $2::timestamptz AND c.created_at < $2::timestamptz AND c.state IN ${using}`;
const inDays = "s.day >= $1::timestamptz AND s.day < $2::timestamptz";
const dayOfCharge = "date_trunc('day', c.final_at, 'UTC')";

const storeAmounts = statement<never>(
  "sum_charge_amounts_of_days",
  `WITH fresh AS MATERIALIZED (
     SELECT merchant_id, currency, ${dayOfCharge} AS day, amount_captured AS amount, count(*) AS count FROM charge c
      WHERE ${capturedInDays} GROUP BY 1, 2, 3, 4
   ), removed AS (
     DELETE FROM charge_amount_day s WHERE ${inDays} AND NOT EXISTS (SELECT FROM fresh f
       WHERE f.merchant_id = s.merchant_id AND f.currency = s.currency AND f.day = s.day AND f.amount = s.amount))
   INSERT INTO charge_amount_day (merchant_id, currency, day, amount, count)
   SELECT merchant_id, currency, day, amount, count FROM fresh ORDER BY 1, 2, 3, 4
   ON CONFLICT (merchant_id, currency, day, amount) DO UPDATE SET count = excluded.count`,
);
const storeMandates = statement<never>(
  "sum_charged_mandates_of_days",
  `WITH fresh AS MATERIALIZED (
     SELECT merchant_id, ${dayOfCharge} AS day, mandate_id, min(final_at) AS first_at FROM charge c
      WHERE ${capturedInDays} GROUP BY 1, 2, 3
   ), removed AS (
     DELETE FROM charge_mandate_day s WHERE ${inDays} AND NOT EXISTS (SELECT FROM fresh f
       WHERE f.merchant_id = s.merchant_id AND f.day = s.day AND f.mandate_id = s.mandate_id))
   INSERT INTO charge_mandate_day (merchant_id, day, mandate_id, first_at)
   SELECT merchant_id, day, mandate_id, first_at FROM fresh ORDER BY 1, 2, 3
   ON CONFLICT (merchant_id, day, mandate_id) DO UPDATE SET first_at = excluded.first_at`,
);

/**
 * Sums the captured charges of full UTC days, and removes sums without charges. The captured amount and `final_at` of a
 * counted charge never change, so the sums of past days are final.
 */
export const sumChargesOfDays = async (sql: Sql, { from, to }: MeteredPeriod): Promise<void> => {
  await sql.query(storeAmounts, [from, to]);
  await sql.query(storeMandates, [from, to]);
};

type Span = { merchantId: string; period: MeteredPeriod; summed: MeteredPeriod | null };

/** The first five parameters. */
const valuesOf = ({ merchantId, period, summed }: Span) => {
  const { from, sumsFrom, sumsTo, to } = divideBySums(period, summed);
  return [merchantId, from, sumsFrom, sumsTo, to];
};
const counted = (from: string, to: string) =>
  `c.merchant_id = $1 AND c.final_at >= ${from}::timestamptz AND c.final_at < ${to}::timestamptz AND c.created_at < ${to}::timestamptz
         AND c.state IN ${using}`;
const summedDays = "merchant_id = $1 AND day >= $3::timestamptz AND day < $4::timestamptz";

// The amounts are returned in at most 64 rows, so that each row is parsed in its own turn of the event loop. The statement has
// no ORDER BY, so that PostgreSQL groups by hashing: sorting a million charges takes longer than counting them.
const amountsIn = (from: string, to: string) =>
  `SELECT c.amount_captured AS amount, count(*) AS count FROM charge c WHERE ${counted(from, to)} AND c.currency = $6 GROUP BY 1`;
const groupAmounts = statement<{ amounts: string }>(
  "group_captured_amounts",
  `SELECT string_agg(amount || ' ' || count, ',') AS amounts FROM (
     SELECT amount, sum(count) AS count FROM (
       (${amountsIn("$2", "$3")}) UNION ALL (${amountsIn("$4", "$5")})
       UNION ALL SELECT amount, count FROM charge_amount_day WHERE ${summedDays} AND currency = $6) u
      GROUP BY amount) g GROUP BY amount % 64`,
);

/** The captured charges of a period in one currency. */
export const readChargeAmounts = async (
  sql: Sql,
  { currency, ...span }: Span & { currency: string },
): Promise<MeteredUsage> => {
  const rows = await sql.query(groupAmounts, [...valuesOf(span), currency]);
  const amounts: { amountMinor: bigint; count: bigint }[] = [];
  let quantity = 0n;
  for (const row of rows) {
    for (const text of row.amounts.split(",")) {
      const space = text.indexOf(" ");
      const count = BigInt(text.slice(space + 1));
      amounts.push({ amountMinor: BigInt(text.slice(0, space)), count });
      quantity += count;
    }
    await nextTurn();
  }
  return { quantity, amounts };
};

// $2 to $5 limit the month, and $6 and $7 limit the period.
const mandatesIn = (from: string, to: string) =>
  `SELECT c.mandate_id, min(c.final_at) AS time FROM charge c WHERE ${counted(from, to)} GROUP BY 1`;
const countMandates = statement<{ count: bigint }>(
  "count_active_mandates",
  `SELECT count(*) AS count FROM (
     SELECT min(time) AS time FROM (
       (${mandatesIn("$2", "$3")}) UNION ALL (${mandatesIn("$4", "$5")})
       UNION ALL SELECT mandate_id, first_at FROM charge_mandate_day WHERE ${summedDays}) m
      GROUP BY mandate_id) f
   WHERE f.time >= $6::timestamptz AND f.time < $7::timestamptz`,
);

/**
 * A mandate counts in the period that contains its first charge of the month.
 * @param months see `MeteredQuery`
 */
export const countActiveMandates = async (
  sql: Sql,
  { merchantId, period, summed, months }: Span & { months: readonly MeteredPeriod[] },
): Promise<bigint> => {
  let active = 0n;
  for (const { from, to } of months.filter((month) => month.from < period.to && month.to > period.from)) {
    const month = { from, to: new Date(Math.min(to.getTime(), period.to.getTime())) };
    const values = [...valuesOf({ merchantId, period: month, summed }), period.from, period.to];
    active += (await sql.query(countMandates, values))[0]?.count ?? 0n;
  }
  return active;
};
