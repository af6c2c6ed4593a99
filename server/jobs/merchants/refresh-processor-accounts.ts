import { newId } from "../../kernel/ids.ts";
import { refreshDueAccounts } from "../../merchants/processor/refresh-due-accounts.ts";
import type { ScheduledJob } from "../job.ts";

/** This job is needed because events about merchants' accounts may be lost (docs/spec/portal.md, Processor account). */
export const refreshProcessorAccountsJob: ScheduledJob = {
  name: "refresh-processor-accounts",
  cron: "23 * * * *",
  expireInSeconds: 1_800,
  run: (deps) => refreshDueAccounts(deps, { requestId: newId("req") }),
};
