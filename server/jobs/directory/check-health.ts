import { checkHealth } from "../../directory/health/check-health.ts";
import { newId } from "../../kernel/ids.ts";
import type { Tick } from "../job.ts";

/**
 * Checks mostly wait for other servers. All outbound requests that can wait share 64 places. These checks use at most
 * 24 of them, so that places remain for other checks.
 */
const lanes = 24;
const limit = 480;

/** Participants are checked hourly, and less often after many failures in a row (docs/spec/directory.md, Health). */
export const checkHealthTick: Tick = {
  name: "check-participant-health",
  intervalMilliseconds: 1_000,
  isDue: ({ participantHealth }) => participantHealth,
  async run(deps) {
    const done = await checkHealth(deps, { lanes, limit, requestId: newId("req") });
    return { done, hasMore: done === limit };
  },
};
