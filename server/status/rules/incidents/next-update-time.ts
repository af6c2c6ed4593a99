/**
 * Later than all earlier updates, even if another node's clock is ahead: updates are ordered by time and sequence
 * alike.
 */
export const nextUpdateTime = (now: Date, earlier: readonly Date[]): Date =>
  new Date(Math.max(now.getTime(), ...earlier.map((at) => at.getTime() + 1)));
