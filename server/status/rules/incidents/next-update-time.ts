/**
 * The time of a new update: later than all earlier updates, even if another node's clock is ahead, because the order by
 * time and the order by sequence must be the same.
 */
export const nextUpdateTime = (now: Date, earlier: readonly Date[]): Date =>
  new Date(Math.max(now.getTime(), ...earlier.map((at) => at.getTime() + 1)));
