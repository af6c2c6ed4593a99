import { Temporal } from "temporal-polyfill";

/** The same local time one calendar year later; 29 February becomes the 28th. @param timeZone an IANA name */
export const oneYearAfter = (date: Date, timeZone: string): Date => {
  const begin = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone);
  return new Date(begin.add({ years: 1 }).epochMilliseconds);
};
