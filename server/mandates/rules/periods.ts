import { Temporal } from "temporal-polyfill";
import type { Alignment, Period } from "./terms.ts";

/** Half-open interval of instants. */
export type PeriodBounds = { startsAt: Date; endsAt: Date };

const steps: Readonly<Record<Period, (count: number) => Temporal.DurationLike>> = {
  day: (days) => ({ days }),
  week: (weeks) => ({ weeks }),
  month: (months) => ({ months }),
  quarter: (quarters) => ({ months: 3 * quarters }),
  year: (years) => ({ years }),
};

type Limit = { period: Period; alignment: Alignment };

/** The last computed bounds, by period, time zone and, for consent periods, anchor. */
const recent = new Map<string, PeriodBounds>();
const recentSize = 10_000;

/**
 * The period that contains an instant. The periods of one limit follow each other without gap or overlap.
 * @param anchor `valid_from`, or the time of consent if that is later. Consent periods count from the first instant of
 *   the anchor's local date.
 */
export const periodAt = (
  limit: Limit,
  { timeZone, anchor, at }: { timeZone: string; anchor: Date; at: Date },
): PeriodBounds => {
  const origin = limit.alignment === "consent" ? anchor.getTime() : "calendar";
  const key = `${limit.period}:${origin}:${timeZone}`;
  const known = recent.get(key);
  if (known && known.startsAt <= at && at < known.endsAt) return known;
  const bounds = computePeriod(limit, { timeZone, anchor, at });
  if (recent.size >= recentSize) recent.clear();
  recent.set(key, bounds);
  return bounds;
};

const computePeriod = (
  limit: Limit,
  { timeZone, anchor, at }: { timeZone: string; anchor: Date; at: Date },
): PeriodBounds => {
  const instant = toInstant(at);
  const date = instant.toZonedDateTimeISO(timeZone).toPlainDate();
  const origin =
    limit.alignment === "calendar"
      ? calendarStart(limit.period, date)
      : toInstant(anchor).toZonedDateTimeISO(timeZone).toPlainDate();
  // Always counted from the anchor: stepping from period to period would lose the anchor day after a short month.
  const borderAt = (index: number) => startOfDay(origin.add(steps[limit.period](index)), timeZone);

  let index = limit.alignment === "calendar" ? 0 : wholePeriods(limit.period, origin, date);
  // Compares instants and not local dates: if clocks go back over midnight, a local date occurs twice.
  while (Temporal.Instant.compare(borderAt(index), instant) > 0) index -= 1;
  while (Temporal.Instant.compare(borderAt(index + 1), instant) <= 0) index += 1;
  return { startsAt: toDate(borderAt(index)), endsAt: toDate(borderAt(index + 1)) };
};

/** Calendar weeks start on Monday. */
const calendarStart = (period: Period, date: Temporal.PlainDate): Temporal.PlainDate => {
  switch (period) {
    case "day":
      return date;
    case "week":
      return date.subtract({ days: date.dayOfWeek - 1 });
    case "month":
      return date.with({ day: 1 });
    case "quarter":
      return date.with({ day: 1, month: 3 * Math.floor((date.month - 1) / 3) + 1 });
    case "year":
      return date.with({ day: 1, month: 1 });
  }
};

/** An estimate of the number of periods between two dates; `computePeriod` corrects it. */
const wholePeriods = (period: Period, from: Temporal.PlainDate, to: Temporal.PlainDate): number => {
  switch (period) {
    case "day":
      return from.until(to, { largestUnit: "day" }).days;
    case "week":
      return Math.floor(from.until(to, { largestUnit: "day" }).days / 7);
    case "month":
    case "quarter": {
      const months = (to.year - from.year) * 12 + to.month - from.month;
      return Math.floor(months / (period === "month" ? 1 : 3));
    }
    case "year":
      return to.year - from.year;
  }
};

/** The first instant of a local date. If clocks skip midnight, it is the first instant after the change. */
const startOfDay = (date: Temporal.PlainDate, timeZone: string): Temporal.Instant =>
  date.toZonedDateTime(timeZone).toInstant();

const toInstant = (date: Date): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(date.getTime());
const toDate = (instant: Temporal.Instant): Date => new Date(instant.epochMilliseconds);
