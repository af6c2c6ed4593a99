import type { RunningPeriod } from "./limits.ts";
import type { Counters, MandateTerms, Period } from "./terms.ts";

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

/** The caps of which `nearPercent` is used now, but wasn't before the last addition. */
export const approached = (caps: readonly CapInUse[]): CapInUse[] =>
  caps.filter(({ cap, used, added }) => !isNear(used - added, cap) && isNear(used, cap));

const isNear = (used: bigint, cap: bigint): boolean => used * 100n >= cap * nearPercent;

/** The used amount and number of payments at which caps are nearly used up; null for no cap. */
type NearMarks = { amount: bigint | null; count: bigint | null };

/** The marks of all limits of one version of a mandate. They apply while the mandate has this version. */
export type LimitMarks = {
  version: number;
  lifetime: NearMarks;
  periods: readonly (NearMarks & { limitKey: string })[];
};

type Caps = { maxAmount: bigint | null; maxPayments: bigint | null };

const markOf = (cap: bigint | null): bigint | null => (cap === null ? null : (cap * nearPercent + 99n) / 100n);
const marksOf = ({ maxAmount, maxPayments }: Caps): NearMarks => ({
  amount: markOf(maxAmount),
  count: markOf(maxPayments),
});

/**
 * The marks of the mandate's limits, if a payment of this amount can't reach any of them.
 * @returns null if a limit may reach its mark with this payment, counting held amounts as used.
 */
export const marksBeyond = (
  mandate: {
    version: number;
    terms: Pick<MandateTerms, "maxTotalAmount" | "maxPayments">;
    lifetime: Counters;
  },
  periods: readonly RunningPeriod[],
  amountMinor: bigint,
): LimitMarks | null => {
  const { version, terms } = mandate;
  const isBelow = ({ amount, count }: NearMarks, used: Counters): boolean =>
    (amount === null || used.usedAmount + used.heldAmount + amountMinor < amount) &&
    (count === null || used.usedCount + used.heldCount + 1n < count);
  const lifetime = marksOf({ maxAmount: terms.maxTotalAmount, maxPayments: terms.maxPayments });
  const ofPeriods = periods.map((period) => ({ limitKey: period.limitKey, ...marksOf(period) }));
  const isFar =
    isBelow(lifetime, mandate.lifetime) && periods.every((period) => isBelow(marksOf(period), period.counters));
  return isFar ? { version, lifetime, periods: ofPeriods } : null;
};
