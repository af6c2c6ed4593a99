import { expireDueMandates } from "../../mandates/lifecycle/expire-due-mandates.ts";
import type { Tick } from "../job.ts";

const batchSize = 100;

/**
 * The checks refuse a mandate from the instant of its expiry. This job sets its state to `expired` and emits the event
 * soon after.
 */
export const expireMandatesTick: Tick = {
  name: "expire-mandates",
  intervalMilliseconds: 5_000,
  async run(deps) {
    const done = await expireDueMandates(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
