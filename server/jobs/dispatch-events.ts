import { takeUndispatchedEvents } from "../data/event-outbox.ts";
import type { Deps } from "../deps.ts";
import type { Tick } from "./job.ts";

const batchSize = 200;

/**
 * Hands each committed event to its receivers, once. No receiver can be registered yet, so that an event's handing over
 * is that it was seen; a webhook's delivery will be queued in this very transaction.
 * @returns how many events were handed over.
 */
export const dispatchEvents = async (deps: Deps): Promise<number> =>
  deps.db.sqlTransaction(async (sql) => {
    const events = await takeUndispatchedEvents(sql, { limit: batchSize, now: deps.clock.now() });
    for (const { id, type, objectId, sequence } of events) deps.log.debug({ id, type, objectId, sequence }, "event");
    return events.length;
  });

export const dispatchEventsTick: Tick = {
  name: "dispatch-events",
  intervalMilliseconds: 1_000,
  async run(deps) {
    const done = await dispatchEvents(deps);
    return { done, hasMore: done === batchSize };
  },
};
