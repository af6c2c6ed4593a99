import type { Period } from "./terms.ts";

/** A cap, its used amount, and the part of the used amount that was just added. */
export type CapInUse = {
  constraint: string;
  period: Period | "total";
  /** a number of payments, not an amount */
  isCount: boolean;
  cap: bigint;
  used: bigint;
  added: bigint;
  resetsAt: Date | null;
};

/** A cap is nearly used up when this share of it is used. */
export const nearPercent = 80n;

/** The caps that reach `nearPercent` through this use. A cap that had reached it before isn't returned. */
export const approached = (caps: readonly CapInUse[]): CapInUse[] =>
  caps.filter(({ cap, used, added }) => !isNear(used - added, cap) && isNear(used, cap));

const isNear = (used: bigint, cap: bigint): boolean => used * 100n >= cap * nearPercent;
