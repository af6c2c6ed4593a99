import { Temporal } from "temporal-polyfill";

/** The same local time one calendar year later; 29 February becomes the 28th. @param timeZone an IANA name */
export const oneYearAfter = (date: Date, timeZone: string): Date => {
  const begin = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone);
  return new Date(begin.add({ years: 1 }).epochMilliseconds);
};

/**
 * The same local time some calendar months later. A day that the month doesn't have becomes the month's last day.
 * @param timeZone an IANA name
 */
export const monthsAfter = (date: Date, months: number, timeZone: string): Date => {
  const begin = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone);
  return new Date(begin.add({ months }).epochMilliseconds);
};

/** The calendar day of an instant, for example `2026-11-26`. @param timeZone an IANA name */
export const dayIn = (timeZone: string, instant: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString();

/** @param days negative for an earlier day */
export const addDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();

/** The day some calendar months later. A day that the month doesn't have becomes the month's last day. */
export const addMonths = (day: string, months: number): string =>
  Temporal.PlainDate.from(day).add({ months }).toString();

/** The first instant of a day, which isn't always 00:00. @returns null if the text isn't an existing day. */
export const startOfDay = (day: string, timeZone: string): Date | null => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  try {
    const date = Temporal.PlainDate.from(day, { overflow: "reject" });
    return new Date(date.toZonedDateTime(timeZone).epochMilliseconds);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};
