import { findLastFullDay } from "#server/kernel/time/reader-times.ts";
import { formatDateTimeRange, formatShortDate } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";

/** `1 Oct 2026 to 31 Oct 2026` if the period has whole days in the reader's zone or in UTC; otherwise with times. */
export const formatBilledPeriod = (period: { from: string; to: string }, reader: Reader): string => {
  const [from, to] = [new Date(period.from), new Date(period.to)];
  for (const zone of [reader, { ...reader, timeZone: "UTC" }]) {
    const lastDay = findLastFullDay(to, zone);
    if (!lastDay || !findLastFullDay(from, zone)) continue;
    const suffix = zone.timeZone === reader.timeZone ? "" : "\u00a0UTC";
    return `${formatShortDate(from, zone)} to ${formatShortDate(lastDay, zone)}${suffix}`;
  }
  return formatDateTimeRange(from, to, reader);
};
