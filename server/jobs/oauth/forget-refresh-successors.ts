import { forgetSuccessors } from "../../oauth/grants/forget-refresh-successors.ts";
import type { Tick } from "../job.ts";

const batchSize = 500;

/** Refresh refuses a retry from the 31st second; this takes the sealed successor out of the database soon after. */
export const forgetRefreshSuccessorsTick: Tick = {
  name: "forget-refresh-successors",
  intervalMilliseconds: 5_000,
  async run(deps) {
    const done = await forgetSuccessors(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
