import type { ChildProcess } from "node:child_process";
import type { Log } from "../../deps/deps.ts";
import { configurationExitCode } from "../../roles/exit-codes.ts";

export type SupervisedProcess = {
  readonly name: string;
  /** Resolves once it said that it is ready; rejects where it can't start. */
  readonly ready: Promise<void>;
  pid(): number | undefined;
  /** Asks it to end, and ends it outright after `patienceMilliseconds`. */
  stop(patienceMilliseconds: number): Promise<void>;
};

const firstDelay = 200;
const longestDelay = 10_000;
/** A process that lived this long had a good start: its next failure counts as the first. */
const settledAfter = 30_000;

/** Keeps one process alive: started again with growing delays whenever it ends unasked. */
export const supervise = (name: string, launch: () => ChildProcess, log: Log): SupervisedProcess => {
  let child: ChildProcess | undefined;
  let isStopping = false;
  let hasBeenReady = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  // Told where it is awaited; here it must not end the supervisor.
  ready.catch(() => {});

  const beginAgain = (startedAt: number, how: object) => {
    failures = performance.now() - startedAt > settledAfter ? 1 : failures + 1;
    const delay = Math.min(firstDelay * 2 ** (failures - 1), longestDelay);
    log.warn({ process: name, ...how, restartInMilliseconds: delay }, "process ended, starting it again");
    timer = setTimeout(begin, delay);
  };
  const begin = () => {
    const startedAt = performance.now();
    let current: ChildProcess;
    try {
      current = launch();
    } catch (error) {
      log.error({ process: name, err: error }, "process error");
      return beginAgain(startedAt, {});
    }
    child = current;
    current.on("message", (message) => {
      if (message !== "ready") return;
      hasBeenReady = true;
      resolve();
    });
    current.on("error", (error) => {
      log.error({ process: name, err: error }, "process error");
      // One that could not be made ends without an exit.
      if (current.pid === undefined && !isStopping) beginAgain(startedAt, {});
    });
    current.once("exit", (code, signal) => {
      if (isStopping) return;
      // What it refuses may be mended while it is tried again; before it was ever ready somebody waits for an answer.
      if (code === configurationExitCode && !hasBeenReady)
        return reject(new Error(`${name} refuses to start, see above`));
      beginAgain(startedAt, { exitCode: code, signal });
    });
  };
  begin();

  return {
    name,
    ready,
    pid: () => child?.pid,
    async stop(patienceMilliseconds) {
      isStopping = true;
      clearTimeout(timer);
      const current = child;
      if (!current || current.pid === undefined || current.exitCode !== null || current.signalCode !== null) return;
      await new Promise<void>((done) => {
        const deadline = setTimeout(() => current.kill("SIGKILL"), patienceMilliseconds);
        current.once("exit", () => {
          clearTimeout(deadline);
          done();
        });
        current.kill("SIGTERM");
      });
    },
  };
};
