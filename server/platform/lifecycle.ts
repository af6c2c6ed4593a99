import type { Log } from "../deps/deps.ts";

/** The time limit for requests and jobs that are in progress (docs/spec/operations.md, Shutdown). */
export const drainMilliseconds = 20_000;

/** Notifies the supervisor, if there is one. */
export const announceReady = (): void => {
  process.send?.("ready");
};

/**
 * Runs `stop` once, on SIGTERM or when the supervisor has ended, and ends the process. Without a supervisor, SIGINT
 * does the same. With one, SIGINT is ignored: Ctrl-C reaches the whole process group, and the processes must end in
 * order.
 */
export const onShutdown = (stop: () => Promise<void>, log: Log): void => {
  let isStopping = false;
  const begin = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, "stopping");
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "stopped with an error");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => begin("SIGTERM"));
  const gone = "the supervisor has ended";
  process.on("disconnect", () => begin(gone));
  // The supervisor may have ended while this process started, before the listener was added.
  if (process.connected === false) begin(gone);
  if (process.channel) process.on("SIGINT", () => {});
  else process.on("SIGINT", () => begin("SIGINT"));
};
