import { Temporal } from "temporal-polyfill";
import { dayIn } from "../../../kernel/time/calendar.ts";
import { multiplyRatio, roundToMinor, toExact } from "../exact/exact.ts";
import type { Period } from "../usage-period.ts";

export type ProratedDays = { used: number; of: number };

/** Whole days of the time zone from the first instant's day to the last instant's day, which doesn't count. */
const daysIn = ({ from, to }: Period, timeZone: string): number =>
  Temporal.PlainDate.from(dayIn(timeZone, from)).until(dayIn(timeZone, to), { largestUnit: "day" }).days;

/**
 * The days of a part of a period, out of the days of the whole period. A change belongs to the day on which it happens,
 * and that day belongs to the new plan: a part that ends during a day doesn't count that day, and the next part does.
 */
export const prorateDays = (whole: Period, part: Period, timeZone: string): ProratedDays => ({
  used: daysIn(part, timeZone),
  of: daysIn(whole, timeZone),
});

/** The credit for the unused days of a billed period. @param billedMinor after discounts */
export const unusedCredit = (billedMinor: bigint, unused: number, of: number): bigint =>
  roundToMinor(multiplyRatio(toExact(billedMinor), BigInt(unused), BigInt(of)));
