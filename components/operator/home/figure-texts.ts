import type { ServiceRequests } from "#server/trpc/operator/home/operator-home-views.ts";
import { formatDuration } from "../../format/durations.ts";
import type { Reader } from "../../format/reader.ts";
import { keepOnOneLine } from "../../format/text.ts";
import { formatChartValue } from "../../ui/chart/chart-values.ts";

export const rangeNames = { hour: "last hour", day: "last 24 hours" } as const;

export type FigureRange = keyof typeof rangeNames;

export const formatFigure = (value: number, reader: Reader): string =>
  formatChartValue(value, { kind: "count" }, reader);

/** `34 ms`. `p95` is null if there were no requests, or if it is above the histogram's last bound of ten seconds. */
export const formatP95 = (
  { p95, requests }: Pick<ServiceRequests["current"], "p95" | "requests">,
  reader: Reader,
): string => {
  if (p95 === null) return requests > 0 ? "Over 10 s" : "No requests";
  return formatChartValue(p95, { kind: "milliseconds" }, reader);
};

/** Describes the chart of the 95th percentile. */
export const latencySummary = (
  total: Pick<ServiceRequests["total"], "p95" | "requests">,
  range: FigureRange,
  reader: Reader,
): string => {
  if (total.requests === 0) return `No requests in the ${rangeNames[range]}.`;
  return `${formatP95(total, reader)} for all requests in the ${rangeNames[range]}, excluding network time.`;
};

/** How long the oldest item of a queue waits. */
export const formatLag = (seconds: number): string => {
  const whole = Math.floor(seconds);
  return keepOnOneLine(whole < 60 ? `${whole} ${whole === 1 ? "second" : "seconds"}` : formatDuration(whole * 1000));
};
