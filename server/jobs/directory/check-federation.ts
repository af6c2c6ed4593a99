import { recheckEntities } from "../../directory/federation/recheck-entities.ts";
import { newId } from "../../kernel/ids.ts";
import type { ScheduledJob } from "../job.ts";
import { runInLanes } from "../run-in-lanes.ts";

/** Each fetch takes at most 5 seconds, so a run takes at most 10 minutes. */
const batches = { lanes: 4, batchSize: 120 };

export const checkFederationJob: ScheduledJob = {
  name: "check-federation",
  cron: "*/10 * * * *",
  expireInSeconds: 1_800,
  run: async (deps) => {
    const requestId = newId("req");
    return { checked: (await runInLanes(batches, ({ limit }) => recheckEntities(deps, { limit, requestId }))).done };
  },
};
