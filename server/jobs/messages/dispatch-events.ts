import { takeUndispatchedEvents } from "../../data/webhooks/event-outbox.ts";
import type { Deps } from "../../deps/deps.ts";
import { endGrantsOfConsumed } from "../../mandates/use/consume-mandate.ts";
import { fanOutEvents } from "../../webhooks/deliveries/fan-out-events.ts";
import type { Tick } from "../job.ts";

const batchSize = 200;

/**
 * Hands each committed event over, once: its deliveries are queued in this very transaction.
 * @returns how many events were handed over.
 */
export const dispatchEvents = async (deps: Deps): Promise<number> =>
  deps.db.sqlTransaction(async (sql) => {
    const now = deps.clock.now();
    const events = await takeUndispatchedEvents(sql, { limit: batchSize, now });
    // Where this fails they come again. Ahead of the endpoints' locks: it waits for grants in transactions of its own, whose
    // holders may wait for an endpoint.
    await endGrantsOfConsumed(
      deps,
      events.flatMap(({ type, objectId }) => (type === "mandate.consumed" ? [objectId] : [])),
    );
    await fanOutEvents(sql, events, now);
    return events.length;
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
