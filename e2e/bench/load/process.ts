import type { Job } from "./job.ts";
import { runJob } from "./run.ts";

// The load generator is a process of its own: neither the bench's table nor a server shares its event loop.
process.on("message", (job: Job) => {
  runJob(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));
