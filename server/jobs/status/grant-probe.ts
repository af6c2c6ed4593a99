import { grantProbe } from "../../status/probes/grant-probe.ts";
import type { ScheduledJob } from "../job.ts";

/**
 * Grants a new consent for the synthetic journeys when the status process requests it (docs/spec/status.md, Probes).
 */
export const grantProbeJob: ScheduledJob = {
  name: "grant-probe",
  cron: "* * * * *",
  expireInSeconds: 60,
  async run(deps) {
    return { granted: await grantProbe(deps, { actor: { kind: "system", id: "grant-probe" }, requestId: "-" }) };
  },
};
