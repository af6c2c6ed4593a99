import { type Sql, statement } from "../../client.ts";
import { isSlow, type MeteredPeriod, ownPrefix, slowAfter } from "./metered-events.ts";

/** Events of one of the merchant's own meters that arrived at an invoice's cut-off or later. */
export type LateUsage = { meter: string; count: bigint; quantity: bigint };

const find = statement<{ meter: string; count: bigint; quantity: string }>(
  "sum_late_usage",
  `SELECT '${ownPrefix}' || e.meter AS meter, count(*) AS count, sum(e.quantity)::text AS quantity FROM (
     SELECT e.meter, e.quantity FROM usage_event e
      WHERE ${slowAfter("$4")} AND e.received_at < $5::timestamptz
     UNION ALL
     SELECT e.meter, e.quantity FROM usage_event e
      WHERE e.merchant_id = $1 AND e.time >= greatest($2::timestamptz, least($3::timestamptz, $4::timestamptz) - interval '5 minutes')
        AND e.time < $3::timestamptz AND e.received_at >= $4::timestamptz AND e.received_at < $5::timestamptz
        AND NOT ${isSlow}) e
   GROUP BY e.meter ORDER BY e.meter`,
);

/**
 * Usage of a billed period that arrived at its invoice's cut-off or later, and before the next cut-off, by meter. Only
 * events of a merchant's own meters can arrive late. The service writes all other events in the same transaction as the
 * change that they record. To get the events themselves, call `readEventSet` or `listLineEvents` with the first cut-off
 * as `receivedFrom`.
 */
export const readLateUsage = async (
  sql: Sql,
  query: { merchantId: string; period: MeteredPeriod; receivedFrom: Date; receivedBefore: Date },
): Promise<LateUsage[]> => {
  const { merchantId, period, receivedFrom, receivedBefore } = query;
  const rows = await sql.query(find, [merchantId, period.from, period.to, receivedFrom, receivedBefore]);
  return rows.map(({ quantity, ...row }) => ({ ...row, quantity: BigInt(quantity) }));
};
