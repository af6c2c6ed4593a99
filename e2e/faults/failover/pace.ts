import { setTimeout as sleep } from "node:timers/promises";

/**
 * @returns a function that resolves when it is the caller's turn. All callers together have `perSecond` turns a second.
 *   A turn that no caller takes in time is lost.
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
