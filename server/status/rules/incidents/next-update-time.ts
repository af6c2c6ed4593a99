/** Told in the order of their sequence: an instant is always after those that were told, whichever node's clock says so. */
export const nextUpdateTime = (now: Date, told: readonly Date[]): Date =>
  new Date(Math.max(now.getTime(), ...told.map((at) => at.getTime() + 1)));
