import { reconcileUsage } from "../../billing/meters/reconciliation/reconcile-usage.ts";
import type { ScheduledJob } from "../job.ts";

/** A day is compared one hour after its end, in business time. The sandbox's clock can be ahead by any duration. */
export const reconcileUsageJob: ScheduledJob = {
  name: "reconcile-usage",
  cron: "5 * * * *",
  expireInSeconds: 3_600,
  missed: "once",
  run: (deps) => reconcileUsage(deps),
};
