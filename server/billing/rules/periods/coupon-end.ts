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
 * The end of a coupon's months, counted from the start of the current period. If they are already over in a long
 * period, they are counted from today. Months end at the first instant of a day, as periods do. Even if this period
 * starts at 01:00, because midnight was skipped, the months don't end at 01:00: the next period starts at midnight.
 */
export const couponEnd = (months: number, { from, at, timeZone }: Counted): Date => {
  const endAfter = (start: Date) => firstInstantOf(addMonths(dayIn(timeZone, start), months), timeZone);
  const counted = endAfter(from);
  return counted > at ? counted : endAfter(at);
};
