import { reconcileUsage } from "../../billing/meters/reconciliation/reconcile-usage.ts";
import type { ScheduledJob } from "../job.ts";

/** After the last events of the day were written, on every node. */
export const reconcileUsageJob: ScheduledJob = {
  name: "reconcile-usage",
  cron: "15 2 * * *",
  expireInSeconds: 3_600,
  missed: "once",
  run: reconcileUsage,
};
