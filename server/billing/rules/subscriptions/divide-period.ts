import type { BillingInterval } from "../../../kernel/billing/interval-months.ts";
import { dayIn, startOfDay } from "../../../kernel/time/calendar.ts";
import { type BillingSchedule, nthBillingPeriod } from "../periods/billing-period.ts";
import { type ProratedDays, prorateDays } from "../periods/proration.ts";
import type { Period } from "../usage-period.ts";

/**
 * A part of a billing period. `whole` is the undivided period that contains the part, `number` is the period's number.
 */
export type Span = Period & { whole: Period; number: number };

type Division = {
  /** the end of the old plan's part; null if the change is on the part's first day */
  cutAt: Date | null;
  anchorDate: string;
  /** the part of the new plan */
  rest: Span;
};

type Change = { at: Date; interval: BillingInterval; cancelAt: Date | null };

/** The first instant of a day. @throws RangeError if the time zone skips the day. */
export const firstInstantOf = (day: string, timeZone: string): Date => {
  const start = startOfDay(day, timeZone);
  if (!start) throw new RangeError(`${timeZone} has no day ${day}`);
  return start;
};

/**
 * Divides the open period for a change of plan. The day of the change belongs to the new plan. A plan with another
 * interval starts new periods on that day (docs/spec/billing.md, Plan changes).
 */
export const dividePeriod = (schedule: BillingSchedule, open: Span, { at, interval, cancelAt }: Change): Division => {
  const { timeZone } = schedule;
  const start = firstInstantOf(dayIn(timeZone, at), timeZone);
  const cutAt = start <= open.from ? null : start;
  const from = cutAt ?? open.from;
  if (interval === schedule.interval) {
    return { cutAt, anchorDate: schedule.anchorDate, rest: { ...open, from } };
  }
  const anchorDate = dayIn(timeZone, from);
  const whole = nthBillingPeriod({ interval, anchorDate, timeZone }, 0);
  return { cutAt, anchorDate, rest: { from, to: earlier(whole.to, cancelAt), whole, number: 0 } };
};

/** The next period, which ends no later than the subscription; null if the subscription ends before this period. */
export const spanAfter = (schedule: BillingSchedule, { to, number }: Span, cancelAt: Date | null): Span | null => {
  if (cancelAt !== null && cancelAt <= to) return null;
  const whole = nthBillingPeriod(schedule, number + 1);
  return { from: whole.from, to: earlier(whole.to, cancelAt), whole, number: number + 1 };
};

const earlier = (end: Date, cancelAt: Date | null): Date => (cancelAt !== null && cancelAt < end ? cancelAt : end);

export type BilledPart = { period: Period; days: ProratedDays };

/** The part of a span that is billed: trial days are free. Null if all days of the span are free. */
export const billedPart = (
  { from, to, whole }: Span,
  { timeZone, trialEndsAt }: { timeZone: string; trialEndsAt: Date | null },
): BilledPart | null => {
  const period = { from: trialEndsAt !== null && trialEndsAt > from ? trialEndsAt : from, to };
  return period.from < to ? { period, days: prorateDays(whole, period, timeZone) } : null;
};
