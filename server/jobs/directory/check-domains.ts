import { recheckDomains } from "../../directory/domains/recheck-domains.ts";
import { newId } from "../../kernel/ids.ts";
import type { ScheduledJob } from "../job.ts";
import { runInLanes } from "../run-in-lanes.ts";

/** A check takes at most 5 seconds, so a run takes at most 10 minutes. The runs of a day can check 138,000 domains. */
const batches = { lanes: 8, batchSize: 120 };

export const checkDomainsJob: ScheduledJob = {
  name: "check-domains",
  cron: "*/10 * * * *",
  expireInSeconds: 1_800,
  run: async (deps) => {
    const requestId = newId("req");
    return { checked: (await runInLanes(batches, ({ limit }) => recheckDomains(deps, { limit, requestId }))).done };
  },
};
