import type { Job } from "./job.ts";
import { runJob, runTogether } from "./run.ts";

// The load generator is a separate process, so that it shares no event loop with the bench or with a server.
process.on("message", (job: Job | Job[]) => {
  (Array.isArray(job) ? runTogether(job) : runJob(job)).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));
