import { Temporal } from "temporal-polyfill";
import { dayIn } from "../../../kernel/time/calendar.ts";
import { multiplyRatio, roundToMinor, toExact } from "../exact/exact.ts";
import type { Period } from "../usage-period.ts";

export type ProratedDays = { used: number; of: number };

/** Days in the time zone from the day of `from` up to, but not including, the day of `to`. */
const daysIn = ({ from, to }: Period, timeZone: string): number =>
  Temporal.PlainDate.from(dayIn(timeZone, from)).until(dayIn(timeZone, to), { largestUnit: "day" }).days;

/**
 * The days of a part of a period, out of the days of the whole period. The day of a change belongs to the new plan. If
 * a part ends during a day, this day belongs to the next part.
 */
export const prorateDays = (whole: Period, part: Period, timeZone: string): ProratedDays => ({
  used: daysIn(part, timeZone),
  of: daysIn(whole, timeZone),
});

/**
 * The credit for the unused days of a billed period. Only the worked examples use it, because no invoice has such a
 * credit.
 * @param billedMinor after discounts
 */
export const unusedCredit = (billedMinor: bigint, unused: number, of: number): bigint =>
  roundToMinor(multiplyRatio(toExact(billedMinor), BigInt(unused), BigInt(of)));
