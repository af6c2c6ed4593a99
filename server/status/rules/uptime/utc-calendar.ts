import type { Span } from "./intervals.ts";

export const dayMilliseconds = 24 * 3600 * 1000;

/** The UTC calendar month of the instant: 28 to 31 days of 24 hours. */
export const utcMonthOf = (instant: number): Span => {
  const date = new Date(instant);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 1) };
};

export const utcDayOf = (instant: number): Span => {
  const from = Math.floor(instant / dayMilliseconds) * dayMilliseconds;
  return { from, to: from + dayMilliseconds };
};

const spansOf = (span: Span, holding: (instant: number) => Span): Span[] => {
  const spans: Span[] = [];
  for (let from = span.from; from < span.to; from = holding(from).to) spans.push(holding(from));
  return spans;
};

/** All UTC calendar months that overlap the span. */
export const utcMonthsOf = (span: Span): Span[] => spansOf(span, utcMonthOf);

/** All UTC days that overlap the span. */
export const utcDaysOf = (span: Span): Span[] => spansOf(span, utcDayOf);

/** `2026-11-21` */
export const dayText = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** `2026-11` */
export const monthText = (instant: number): string => new Date(instant).toISOString().slice(0, 7);
