import { checkHealth } from "../../directory/health/check-health.ts";
import { newId } from "../../kernel/ids.ts";
import type { Tick } from "../job.ts";

/** Checks mostly wait. At most 24 of the 64 places for requests that can wait are used, so other checks have places too. */
const lanes = 24;
const limit = 480;

/** Each participant is checked hourly (docs/spec/directory.md, Health). */
export const checkHealthTick: Tick = {
  name: "check-participant-health",
  intervalMilliseconds: 1_000,
  isDue: ({ participantHealth }) => participantHealth,
  async run(deps) {
    const done = await checkHealth(deps, { lanes, limit, requestId: newId("req") });
    return { done, hasMore: done === limit };
  },
};
