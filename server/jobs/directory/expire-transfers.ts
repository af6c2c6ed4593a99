import { expireTransfers } from "../../directory/transfers/expire-transfers.ts";
import { newId } from "../../kernel/ids.ts";
import type { ScheduledJob } from "../job.ts";

const limit = 1_000;

/** An expired offer can't be accepted, even before this job ends it (docs/spec/directory.md, Transfers). */
export const expireTransfersJob: ScheduledJob = {
  name: "expire-entry-transfers",
  cron: "*/10 * * * *",
  expireInSeconds: 600,
  run: async (deps) => ({ expired: await expireTransfers(deps, { limit, requestId: newId("req") }) }),
};
