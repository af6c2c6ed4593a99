import { keepProbe } from "../../status/probes/grant-probe.ts";
import type { ScheduledJob } from "../job.ts";

/**
 * Consents anew for the payer of the status page's trials, whenever the status process asks for it
 * (docs/spec/status.md, Probes).
 */
export const keepProbeJob: ScheduledJob = {
  name: "keep-probe",
  cron: "* * * * *",
  expireInSeconds: 60,
  async run(deps) {
    return { consented: await keepProbe(deps, { actor: { kind: "system", id: "keep-probe" }, requestId: "-" }) };
  },
};
