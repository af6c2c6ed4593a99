import { anchorAudit } from "../../audit/anchor-audit.ts";
import type { ScheduledJob } from "../job.ts";

/**
 * Writes the head to the worker's log, which is stored outside the database. `npm run audit -- verify --anchor` reads
 * this log.
 */
export const anchorAuditJob: ScheduledJob = {
  name: "anchor-audit",
  cron: "23 * * * *",
  expireInSeconds: 60,
  run: async (deps) => ({ head: await anchorAudit(deps) }),
};
