import { quantileOf } from "./durations.ts";

/** The periods of the home page: the last hour by minute, or the last day by quarter of an hour. */
export const figureRanges = ["hour", "day"] as const;
export type FigureRange = (typeof figureRanges)[number];

const minute = 60_000;

/** Processes write a minute's figures within this time after its end. */
const writeMilliseconds = 5_000;

const rangeMinutes: Readonly<Record<FigureRange, number>> = { hour: 60, day: 24 * 60 };
const stepMinutes: Readonly<Record<FigureRange, number>> = { hour: 1, day: 15 };

export type FigurePeriod = { from: Date; to: Date; stepMinutes: number };

/** Complete steps only: the last step has ended, and its figures are written. */
export const figurePeriod = (range: FigureRange, now: Date): FigurePeriod => {
  const step = stepMinutes[range] * minute;
  const to = Math.floor((now.getTime() - writeMilliseconds) / step) * step;
  return { from: new Date(to - rangeMinutes[range] * minute), to: new Date(to), stepMinutes: stepMinutes[range] };
};

type Answered = { requests: number; errors: number; counts: readonly number[] };
export type Step = Answered & { at: Date; processes: number };

/**
 * Null: no web process reported. `p95`: also null if there were no requests, or if it is above the histogram's last
 * bound.
 */
export type RequestFigures = { requestsPerMinute: number | null; errorsPerMinute: number | null; p95: number | null };

const unknown: RequestFigures = { requestsPerMinute: null, errorsPerMinute: null, p95: null };

/** The mean per minute, with one decimal place if it is below 100. */
const rate = (count: number, minutes: number): number => {
  const mean = count / minutes;
  return mean >= 100 ? Math.round(mean) : Math.round(mean * 10) / 10;
};

const figuresOf = ({ requests, errors, counts }: Answered, minutes: number): RequestFigures => ({
  requestsPerMinute: rate(requests, minutes),
  errorsPerMinute: rate(errors, minutes),
  p95: quantileOf(counts, 0.95),
});

/** One point for each step of the period, in order. */
export const pointsOf = (steps: readonly Step[], period: FigurePeriod): (RequestFigures & { at: Date })[] => {
  const byTime = new Map(steps.map((step) => [step.at.getTime(), step]));
  const width = period.stepMinutes * minute;
  const count = (period.to.getTime() - period.from.getTime()) / width;
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(period.from.getTime() + index * width);
    const step = byTime.get(at.getTime());
    return { at, ...(step ? figuresOf(step, period.stepMinutes) : unknown) };
  });
};

/** The figures of all steps together. @param width of a step, in minutes. */
export const totalOf = (steps: readonly Step[], width: number) => {
  const counts: number[] = [];
  for (const step of steps) {
    step.counts.forEach((value, bucket) => {
      counts[bucket] = (counts[bucket] ?? 0) + value;
    });
  }
  const sum = { requests: 0, errors: 0 };
  for (const { requests, errors } of steps) {
    sum.requests += requests;
    sum.errors += errors;
  }
  const figures = steps.length === 0 ? unknown : figuresOf({ ...sum, counts }, steps.length * width);
  return { ...sum, ...figures };
};

/** How many minutes "now" covers: a single minute is too noisy for a percentile. */
const currentMinutes = 5;

/** @param steps the steps of one minute in a period that ends at `to` */
export const currentOf = (steps: readonly Step[], to: Date) => {
  const recent = steps.filter(({ at }) => at.getTime() >= to.getTime() - currentMinutes * minute);
  return { ...totalOf(recent, 1), processes: recent.at(-1)?.processes ?? 0 };
};
