import { type Sql, statement } from "../../client.ts";
import type { MeteredPeriod } from "./metered-events.ts";

const dayMs = 24 * 3600 * 1000;

/** The full hours, minutes or days of a period. An empty period starts and ends at `from`. */
export const wholeOf = ({ from, to }: MeteredPeriod, unitMs: number): MeteredPeriod => {
  const begins = Math.ceil(from.getTime() / unitMs) * unitMs;
  const ends = Math.floor(to.getTime() / unitMs) * unitMs;
  return begins < ends ? { from: new Date(begins), to: new Date(ends) } : { from, to: from };
};

const find = statement<MeteredPeriod>(
  "find_summed_days",
  `SELECT min(day) AS "from", max(day) + interval '1 day' AS "to" FROM meter_reconciliation_day
    WHERE day >= $1::timestamptz AND day < $2::timestamptz AND checked_at >= day + interval '25 hours'
   HAVING count(*) * interval '1 day' = max(day) - min(day) + interval '1 day'`,
);

/**
 * The full UTC days of a period that the daily reconciliation has summed; null if there are none, or if they have a
 * gap.
 */
export const findSummedDays = async (sql: Sql, period: MeteredPeriod): Promise<MeteredPeriod | null> => {
  const days = wholeOf(period, dayMs);
  return (await sql.query(find, [days.from, days.to]))[0] ?? null;
};

/**
 * Splits a period in three: full days in the middle, whose usage is read from sums, and the parts before and after
 * them, whose usage is read from events.
 * @param summed full UTC days
 * @returns bounds: events from `from` to `sumsFrom`, sums from there to `sumsTo`, and events from there to `to`.
 */
export const divideBySums = ({ from, to }: MeteredPeriod, summed: MeteredPeriod | null) => {
  const days = wholeOf({ from, to }, dayMs);
  const sumsFrom = summed && summed.from > days.from ? summed.from : days.from;
  const sumsTo = summed && summed.to < days.to ? summed.to : days.to;
  return summed && sumsFrom < sumsTo ? { from, sumsFrom, sumsTo, to } : { from, sumsFrom: to, sumsTo: to, to };
};
