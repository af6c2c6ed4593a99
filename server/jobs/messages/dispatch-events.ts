import { markChargeSumsDue } from "../../data/charges/merchant/charge-sums.ts";
import { type EventRow, takeUndispatchedEvents } from "../../data/webhooks/event-outbox.ts";
import type { Deps } from "../../deps/deps.ts";
import { instantOf } from "../../kernel/time/dated.ts";
import { endGrantsOfConsumed } from "../../mandates/use/consume-mandate.ts";
import { chargeIdOf, fanOutEvents } from "../../webhooks/deliveries/fan-out-events.ts";
import { audienceOf } from "../../webhooks/rules/audience.ts";
import type { Tick } from "../job.ts";

const batchSize = 200;

/**
 * Dispatches each committed event once: its deliveries are queued in the same transaction.
 * @returns the number of dispatched events.
 */
export const dispatchEvents = async (deps: Deps): Promise<number> =>
  deps.db.sqlTransaction(async (sql) => {
    const now = deps.clock.now();
    const events = await takeUndispatchedEvents(sql, { limit: batchSize, now });
    // If this fails, the events are dispatched again. To avoid a deadlock, it comes before the endpoints are locked:
    // other transactions end the grants, and a transaction that has locked such a grant may wait for an endpoint.
    await endGrantsOfConsumed(
      deps,
      events.flatMap(({ type, objectId }) => (type === "mandate.consumed" ? [objectId] : [])),
    );
    await fanOutEvents(sql, events, now);
    await markChargeSumsDue(sql, chargesOf(events));
    return events.length;
  });

/** The charges that the events are about. A charge's id contains the time of its creation. */
const chargesOf = (events: readonly EventRow[]): { id: string; createdAt: Date }[] =>
  [...new Set(events.filter(({ type }) => audienceOf(type) === "charge").map(chargeIdOf))].flatMap((id) => {
    const createdAt = instantOf(id);
    return createdAt ? [{ id, createdAt }] : [];
  });

export const dispatchEventsTick: Tick = {
  name: "dispatch-events",
  intervalMilliseconds: 1_000,
  isDue: ({ events }) => events,
  async run(deps) {
    const done = await dispatchEvents(deps);
    return { done, hasMore: done === batchSize };
  },
};
