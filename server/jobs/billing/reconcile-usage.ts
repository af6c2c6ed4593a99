import { reconcileUsage } from "../../billing/meters/reconciliation/reconcile-usage.ts";
import type { ScheduledJob } from "../job.ts";

/** Runs after every node has written the last events of the previous day. */
export const reconcileUsageJob: ScheduledJob = {
  name: "reconcile-usage",
  cron: "15 2 * * *",
  expireInSeconds: 3_600,
  missed: "once",
  run: reconcileUsage,
};
