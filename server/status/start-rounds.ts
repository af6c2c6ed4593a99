import type { Deps } from "../deps/deps.ts";

export type Rounds = {
  /** Sends everything that is due. @throws if the journal can't be written: nothing is sent until it can be written. */
  round(): Promise<number>;
  /** After this, the running round starts no further delivery. */
  stop(): void;
};

/** Runs one round at a time, every `everyMilliseconds`. @returns a function that stops after the current round. */
export const startRounds = (
  { log }: Pick<Deps, "log">,
  rounds: Rounds,
  everyMilliseconds: number,
): (() => Promise<void>) => {
  let round: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    round = rounds
      .round()
      .catch((error: unknown) => log.error({ err: error }, "status notices or alerts could not be sent"))
      .finally(() => {
        isBusy = false;
      });
  }, everyMilliseconds);
  return async () => {
    clearInterval(timer);
    rounds.stop();
    await round;
  };
};
