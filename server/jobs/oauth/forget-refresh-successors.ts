import { forgetSuccessors } from "../../oauth/grants/forget-refresh-successors.ts";
import type { Tick } from "../job.ts";

const batchSize = 500;

/** A retry is refused after 30 seconds. This job deletes the sealed successor soon after. */
export const forgetRefreshSuccessorsTick: Tick = {
  name: "forget-refresh-successors",
  intervalMilliseconds: 5_000,
  async run(deps) {
    const done = await forgetSuccessors(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
