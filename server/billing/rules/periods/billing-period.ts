import { Temporal } from "temporal-polyfill";
import { type BillingInterval, intervalMonths } from "../../../kernel/billing/interval-months.ts";
import { dayIn, startOfDay } from "../../../kernel/time/calendar.ts";
import type { Period } from "../usage-period.ts";

/** `anchorDate`: the day of the first period in this time zone, for example `2027-01-31`. */
export type BillingSchedule = { interval: BillingInterval; anchorDate: string; timeZone: string };

/** The first instant of the period's first day, which isn't always 00:00. */
const borderAt = ({ interval, anchorDate, timeZone }: BillingSchedule, index: number): Date => {
  // Always counted from the anchor date. If each period were computed from the previous one, the 31st would be lost
  // after a short month.
  const day = Temporal.PlainDate.from(anchorDate).add({ months: index * intervalMonths[interval] });
  const border = startOfDay(day.toString(), timeZone);
  if (border === null) throw new RangeError(`${timeZone} has no day ${day}`);
  return border;
};

/** The period with this index, starting at 0. It starts on the anchor day, or on the last day of a shorter month. */
export const nthBillingPeriod = (schedule: BillingSchedule, index: number): Period => ({
  from: borderAt(schedule, index),
  to: borderAt(schedule, index + 1),
});

/** The period that contains an instant, and its index. The index is negative before the anchor date. */
export const billingPeriodAt = (schedule: BillingSchedule, at: Date): Period & { index: number } => {
  const day = Temporal.PlainDate.from(dayIn(schedule.timeZone, at));
  const anchor = Temporal.PlainDate.from(schedule.anchorDate);
  const months = (day.year - anchor.year) * 12 + day.month - anchor.month;
  let index = Math.floor(months / intervalMonths[schedule.interval]);
  // Instants are compared, not local days, because a local day occurs twice if clocks go back over midnight.
  while (borderAt(schedule, index) > at) index -= 1;
  while (borderAt(schedule, index + 1) <= at) index += 1;
  return { ...nthBillingPeriod(schedule, index), index };
};
