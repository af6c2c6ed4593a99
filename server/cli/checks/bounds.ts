import { formatFailedTests, formatTotal, type Outcome } from "./progress/outcome.ts";
import { createProgress, type Progress } from "./progress/progress.ts";
import type { Bounds } from "./run-program.ts";

/** Settings that all parts of one command share. */
export type CheckRun = Bounds & { progress: Progress };

/** One Ctrl-C causes two signals: one from the terminal and one from the parent process. */
const repeatMilliseconds = 2_000;

/**
 * Starts a run. It ends at Ctrl-C, SIGTERM or the end of the parent process, and after `minutes` at the latest. A
 * second Ctrl-C ends it without waiting for anything.
 * @param parts the names of all parts that will run
 */
export const startRun = (minutes: number, parts: readonly string[]): CheckRun => {
  const progress = createProgress(parts);
  const stopping = new AbortController();
  let stoppedAt = 0;
  const stop = () => {
    if (stopping.signal.aborted) {
      if (performance.now() - stoppedAt > repeatMilliseconds) process.exit(130);
      return;
    }
    stoppedAt = performance.now();
    progress.print("stopping …\n");
    stopping.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  process.on("disconnect", stop);
  return { stopped: stopping.signal, endsAt: performance.now() + minutes * 60_000, progress };
};

/** Prints the failed tests and the last line, and ends the process. */
export const conclude = ({ progress }: CheckRun, outcomes: readonly Outcome[]): never => {
  progress.close();
  process.stdout.write(`${formatFailedTests(outcomes)}${formatTotal(outcomes)}`);
  process.exit(outcomes.every(({ failed }) => failed === 0) ? 0 : 1);
};
