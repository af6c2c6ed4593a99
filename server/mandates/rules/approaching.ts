/** One cap, with what is used of it now and how much of that was just added. */
export type CapInUse = { constraint: string; cap: bigint; used: bigint; added: bigint; resetsAt: Date | null };

/** Used up to this share a limit is near. */
export const nearPercent = 80n;

/** The caps that came near with this use: each once, however often it is used on, and again once there was more room. */
export const approached = (caps: readonly CapInUse[]): CapInUse[] =>
  caps.filter(({ cap, used, added }) => !isNear(used - added, cap) && isNear(used, cap));

const isNear = (used: bigint, cap: bigint): boolean => used * 100n >= cap * nearPercent;
