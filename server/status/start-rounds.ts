import type { Deps } from "../deps/deps.ts";

export type Rounds = {
  /** Tells everybody who is due now. @throws where the journal can't be written: nothing more is sent until it can. */
  round(): Promise<number>;
  /** Begins with nobody more. */
  stop(): void;
};

/** One round at a time, every `everyMilliseconds`. @returns what stops it, when the round under way is over. */
export const startRounds = (
  { log }: Pick<Deps, "log">,
  teller: Rounds,
  everyMilliseconds: number,
): (() => Promise<void>) => {
  let round: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    round = teller
      .round()
      .catch((error: unknown) => log.error({ err: error }, "status notices could not be sent"))
      .finally(() => {
        isBusy = false;
      });
  }, everyMilliseconds);
  return async () => {
    clearInterval(timer);
    teller.stop();
    await round;
  };
};
