import type { ChargeState } from "../../charges/rules/charge-states.ts";
import { type Sql, statement } from "../client.ts";

export type ChargeCount = { state: ChargeState; count: number };

// One range of the index on state and time for each state. Grouping would read all charges.
const count = statement<ChargeCount>(
  "count_charges_by_state",
  `SELECT s.state::text AS state, counted.count
     FROM unnest(enum_range(NULL::charge_state)) AS s (state),
          LATERAL (SELECT count(*)::int AS count FROM charge c
                    WHERE c.state = s.state AND c.created_at >= $1::timestamptz) AS counted
    WHERE counted.count > 0`,
);

/** Charges of all merchants since `since`. */
export const countChargesByState = (sql: Sql, since: Date): Promise<ChargeCount[]> => sql.query(count, [since]);
