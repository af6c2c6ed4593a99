import { readEventSet } from "../../../data/billing/meters/event-set.ts";
import { sourceOf } from "../../../data/billing/meters/metered-events.ts";
import type { Sql } from "../../../data/client.ts";
import type { EventSet } from "../../rules/invoice/types.ts";
import type { Meter } from "../../rules/plans/terms.ts";
import { monthsOf, type UsageQuery } from "./period-usage.ts";

/**
 * The exact events behind the lines of these meters.
 * @param query.receivedFrom for late events: those that were received at this time or later
 */
export const eventsBehind = async (
  sql: Sql,
  query: UsageQuery & { receivedFrom?: Date },
  meters: readonly Meter[],
): Promise<Map<Meter, EventSet>> => {
  const { merchantId, period, currency, receivedBefore, receivedFrom = null } = query;
  const events = new Map<Meter, EventSet>();
  for (const meter of meters) {
    const months = monthsOf(query);
    const of = { merchantId, meter, period, receivedBefore, receivedFrom, currency, months };
    const set = await readEventSet(sql, of);
    // Stored with the line, so that its events can be listed later.
    const needsMonths = sourceOf(meter) === "mandate";
    events.set(meter, { ...set, asOf: receivedBefore, receivedFrom, ...(needsMonths ? { months } : {}) });
  }
  return events;
};
