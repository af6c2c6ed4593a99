import { grantProbe } from "../../status/probes/grant-probe.ts";
import type { ScheduledJob } from "../job.ts";

/**
 * Consents anew for the payer of the status page's trials, whenever the status process asks for it
 * (docs/spec/status.md, Probes).
 */
export const grantProbeJob: ScheduledJob = {
  name: "grant-probe",
  cron: "* * * * *",
  expireInSeconds: 60,
  async run(deps) {
    return { consented: await grantProbe(deps, { actor: { kind: "system", id: "grant-probe" }, requestId: "-" }) };
  },
};
