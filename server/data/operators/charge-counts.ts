import type { ChargeState } from "../../charges/rules/charge-states.ts";
import { type Sql, statement } from "../client.ts";

export type ChargeCount = { state: ChargeState; count: number };

// Charges that have no sum yet are counted for each state, in two ranges of the index on state and time. Grouping all
// charges by state would read every charge.
const count = statement<ChargeCount>(
  "count_charges_by_state",
  `SELECT part.state::text AS state, sum(part.count)::int AS count FROM (
     SELECT state, count FROM charge_sum WHERE slot >= $2::timestamptz AND slot < $3::timestamptz
     UNION ALL
     SELECT s.state, counted.count
       FROM unnest(enum_range(NULL::charge_state)) AS s (state),
            (VALUES ($1::timestamptz, $2::timestamptz), ($3::timestamptz, 'infinity')) AS span (since, until),
            LATERAL (SELECT count(*)::int AS count FROM charge c
                      WHERE c.state = s.state AND c.created_at >= span.since AND c.created_at < span.until) AS counted
   ) AS part GROUP BY part.state HAVING sum(part.count) > 0 ORDER BY part.state`,
);

type Period = {
  since: Date;
  /** the first slot that begins in the period: sums are read from this slot on */
  sumsFrom: Date;
  /** from this slot on, the charges themselves are counted */
  chargesFrom: Date;
};

/** Charges of all merchants since `since`. `since` ≤ `sumsFrom` ≤ `chargesFrom`. */
export const countChargesByState = (sql: Sql, { since, sumsFrom, chargesFrom }: Period): Promise<ChargeCount[]> =>
  sql.query(count, [since, sumsFrom, chargesFrom]);
