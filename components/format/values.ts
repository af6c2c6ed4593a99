import { formatMoney } from "#server/kernel/money/money.ts";

/** Who reads: money, dates and times are written for them. */
export type Reader = { locale: string; timeZone: string };

export const money = (amountMinor: number | bigint, currency: string, reader: Pick<Reader, "locale">): string =>
  formatMoney({ amountMinor: BigInt(amountMinor), currency }, reader.locale);

type PeriodName = "day" | "week" | "month" | "quarter" | "year";
export type PeriodRule = { period: PeriodName; alignment: "calendar" | "consent" };

const calendarNames: Readonly<Record<PeriodName, string>> = {
  day: "Each day",
  week: "Each calendar week",
  month: "Each calendar month",
  quarter: "Each calendar quarter",
  year: "Each calendar year",
};

const consentNames: Readonly<Record<PeriodName, string>> = {
  day: "Each day",
  week: "Each 7 days",
  month: "Each month",
  quarter: "Each three months",
  year: "Each year",
};

export const periodName = ({ period, alignment }: PeriodRule): string =>
  (alignment === "calendar" ? calendarNames : consentNames)[period];

const calendarResets: Readonly<Record<PeriodName, string>> = {
  day: "resets at midnight",
  week: "resets on Mondays",
  month: "resets on the 1st",
  quarter: "resets on 1 January, April, July and October",
  year: "resets on 1 January",
};

/** When a period begins anew, in the mandate's own time zone. @param start the day that consent periods count from. */
export const resetWords = (rule: PeriodRule, timeZone: string, start: Date): string =>
  `${rule.alignment === "calendar" ? calendarResets[rule.period] : consentReset(rule.period, timeZone, start)}, ${zoneName(timeZone)}`;

const consentReset = (period: PeriodName, timeZone: string, start: Date): string => {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { timeZone, ...options }).format(start);
  const day = Number(part({ day: "numeric" }));
  const clamped = day > 28 ? " or the month’s last day" : "";
  switch (period) {
    case "day":
      return "resets at midnight";
    case "week":
      return `resets on ${part({ weekday: "long" })}s`;
    case "month":
      return `resets on the ${ordinal(day)} of each month${clamped}`;
    case "quarter":
      return `resets every three months on the ${ordinal(day)}${clamped}`;
    case "year":
      return `resets each ${part({ day: "numeric", month: "long" })}`;
  }
};

const ordinal = (day: number): string => {
  const ending = day > 10 && day < 14 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${ending}`;
};

/** `Europe/Berlin` is `Berlin time`. */
export const zoneName = (timeZone: string): string =>
  timeZone === "UTC" ? "UTC" : `${(timeZone.split("/").at(-1) ?? timeZone).replaceAll("_", " ")} time`;

/** Kept on one line, wherever it is shown. */
export const unbroken = (text: string): string => text.replaceAll(" ", "\u00a0");

export const date = (at: Date, reader: Reader): string =>
  unbroken(
    new Intl.DateTimeFormat(reader.locale, {
      timeZone: reader.timeZone,
      day: "numeric",
      month: "long",
      year: "numeric",
    }).format(at),
  );

export const dateTime = (at: Date, reader: Reader): string =>
  unbroken(
    new Intl.DateTimeFormat(reader.locale, {
      timeZone: reader.timeZone,
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
    }).format(at),
  );

/** `Today, 09:12`, `Yesterday, 18:40`, else the date with its time. */
export const moment = (at: Date, now: Date, reader: Reader): string => {
  const dayOf = (instant: Date) => new Intl.DateTimeFormat("en-CA", { timeZone: reader.timeZone }).format(instant);
  const time = new Intl.DateTimeFormat(reader.locale, {
    timeZone: reader.timeZone,
    hour: "2-digit",
    minute: "2-digit",
  }).format(at);
  if (dayOf(at) === dayOf(now)) return unbroken(`Today, ${time}`);
  if (dayOf(at) === dayOf(new Date(now.getTime() - 86_400_000))) return unbroken(`Yesterday, ${time}`);
  return dateTime(at, reader);
};

/** An end is half-open: one at local midnight is over when the day before is. @returns an instant of that day, else null. */
export const lastFullDay = (until: Date, reader: Reader): Date | null => {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: reader.timeZone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(until);
  return clock === "00:00:00" ? new Date(until.getTime() - 1) : null;
};

export const untilWords = (until: Date, reader: Reader): string => {
  const lastDay = lastFullDay(until, reader);
  return lastDay ? `the end of ${date(lastDay, reader)}` : dateTime(until, reader);
};

/** The same as a figure with a note below it. */
export const endFigure = (until: Date, reader: Reader): { words: string; note: string } => {
  const [zone, lastDay] = [zoneName(reader.timeZone), lastFullDay(until, reader)];
  if (lastDay) return { words: date(lastDay, reader), note: `to the end of that day, ${zone}` };
  return { words: dateTime(until, reader), note: zone };
};

/** `A, B and C`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

export const payments = (count: number): string => `${count} ${count === 1 ? "payment" : "payments"}`;
