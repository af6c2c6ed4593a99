import { addMonths, dayIn } from "../../../kernel/time/calendar.ts";
import { firstInstantOf } from "../subscriptions/divide-period.ts";

type Counted = {
  /** the start of the current undivided period */
  from: Date;
  /** when the coupon is applied */
  at: Date;
  timeZone: string;
};

/**
 * The end of a coupon's months, counted from the start of the current period. In a long period, these months may
 * already be over; they are then counted from the day on which the coupon is applied. Like periods, months end at the
 * first instant of their end date. The start's time of day doesn't matter. For example, if daylight saving time skips
 * midnight on the start date, the period starts at 01:00, and the months end at 00:00.
 */
export const couponEnd = (months: number, { from, at, timeZone }: Counted): Date => {
  const endAfter = (start: Date) => firstInstantOf(addMonths(dayIn(timeZone, start), months), timeZone);
  const counted = endAfter(from);
  return counted > at ? counted : endAfter(at);
};
