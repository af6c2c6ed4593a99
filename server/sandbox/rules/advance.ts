/** Longer than any lifetime: a mandate lasts at most one year. */
const maxAheadYears = 10;

export type Refusal = "clock_not_forward" | "clock_too_far";

/** Checks whether the clock may be moved to `to`. @returns null if it may. */
export const advanceRefusal = (input: { to: Date; businessNow: Date; realNow: Date }): Refusal | null => {
  const { to, businessNow, realNow } = input;
  if (to <= businessNow) return "clock_not_forward";
  const last = new Date(realNow);
  last.setUTCFullYear(last.getUTCFullYear() + maxAheadYears);
  return to > last ? "clock_too_far" : null;
};
