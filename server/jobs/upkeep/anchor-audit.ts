import { anchorAudit } from "../../audit/anchor-audit.ts";
import type { ScheduledJob } from "../job.ts";

/** The head goes out with the worker's log, to wherever logs are kept: `npm run audit -- verify --anchor` takes it back. */
export const anchorAuditJob: ScheduledJob = {
  name: "anchor-audit",
  cron: "23 * * * *",
  expireInSeconds: 60,
  run: async (deps) => ({ head: await anchorAudit(deps) }),
};
