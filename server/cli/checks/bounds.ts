import type { Bounds } from "./run-program.ts";

/** A Ctrl-C comes once from the terminal and once more from the process that started this one. */
const echoMilliseconds = 2_000;

/** Ended by Ctrl-C, SIGTERM or the end of who started this process; a second Ctrl-C waits for nothing. */
export const bound = (minutes: number): Bounds => {
  const stopping = new AbortController();
  let stoppedAt = 0;
  const stop = () => {
    if (stopping.signal.aborted) {
      if (performance.now() - stoppedAt > echoMilliseconds) process.exit(130);
      return;
    }
    stoppedAt = performance.now();
    process.stdout.write("stopping …\n");
    stopping.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  process.on("disconnect", stop);
  return { stopped: stopping.signal, endsAt: performance.now() + minutes * 60_000 };
};
