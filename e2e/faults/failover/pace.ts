import { setTimeout as sleep } from "node:timers/promises";

/**
 * @returns a function that resolves at the caller's turn: `perSecond` turns a second for all callers together. A turn
 *   that no caller took in time isn't made up for.
 */
export const createPace = (perSecond: number): (() => Promise<void>) => {
  const milliseconds = 1_000 / perSecond;
  let next = Date.now();
  return async () => {
    const now = Date.now();
    const turn = Math.max(next, now);
    next = turn + milliseconds;
    await sleep(turn - now);
  };
};
