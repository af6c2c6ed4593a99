import type { ChildProcess } from "node:child_process";
import type { Log } from "../../deps/deps.ts";
import { configurationExitCode } from "../../roles/exit-codes.ts";

export type SupervisedProcess = {
  readonly name: string;
  /** Resolves when the process reports that it is ready; rejects if it refuses its configuration before that. */
  readonly ready: Promise<void>;
  pid(): number | undefined;
  /** Asks the process to end, and kills it after `patienceMilliseconds`. */
  stop(patienceMilliseconds: number): Promise<void>;
};

const firstDelay = 200;
const longestDelay = 10_000;
/** If a process ran for this time, its start was successful. Its next failure then counts as the first failure. */
const settledAfter = 30_000;

/** Keeps one process running: restarts it with growing delays whenever it ends unexpectedly. */
export const supervise = (name: string, launch: () => ChildProcess, log: Log): SupervisedProcess => {
  let child: ChildProcess | undefined;
  let isStopping = false;
  let hasBeenReady = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  // A caller that awaits this promise handles its rejection. But if no caller awaits it, an unhandled rejection would
  // end the supervisor.
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
      // A process that could not be launched ends without an exit.
      if (current.pid === undefined && !isStopping) beginAgain(startedAt, {});
    });
    current.once("exit", (code, signal) => {
      if (isStopping) return;
      // After a successful first start, a refused configuration is retried, because an operator may fix it. During the
      // first start, a caller waits for the result.
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
      if (child) await endChild(child, patienceMilliseconds);
    },
  };
};

/** Resolves when the process has ended, even if it was never launched or had ended before. */
const endChild = async (child: ChildProcess, patienceMilliseconds: number): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((done) => {
    const deadline = setTimeout(() => child.kill("SIGKILL"), patienceMilliseconds);
    child.once("exit", () => {
      clearTimeout(deadline);
      done();
    });
    child.kill("SIGTERM");
  });
};
