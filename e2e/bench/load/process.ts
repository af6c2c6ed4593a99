import type { Job } from "./job.ts";
import { runJob } from "./run.ts";

// The load generator is a separate process: it shares its event loop neither with the bench nor with a server.
process.on("message", (job: Job) => {
  runJob(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));
