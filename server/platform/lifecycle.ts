import type { Log } from "../deps/deps.ts";

/** How long requests and jobs under way may take to finish (docs/spec/operations.md, Shutdown). */
export const drainMilliseconds = 20_000;

/** Tells the supervisor, where there is one. */
export const announceReady = (): void => {
  process.send?.("ready");
};

/**
 * Runs `stop` once, on SIGTERM or when the supervisor is gone, and ends the process. SIGINT is the supervisor's
 * business: a Ctrl-C reaches the whole group of processes, and the order in which they end matters.
 */
export const stopWhenTold = (stop: () => Promise<void>, log: Log): void => {
  let isStopping = false;
  const begin = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, "stopping");
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "stopped in disorder");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => begin("SIGTERM"));
  const gone = "the supervisor is gone";
  process.on("disconnect", () => begin(gone));
  // While this process started, when nobody listened yet.
  if (process.connected === false) begin(gone);
  if (process.channel) process.on("SIGINT", () => {});
  else process.on("SIGINT", () => begin("SIGINT"));
};
