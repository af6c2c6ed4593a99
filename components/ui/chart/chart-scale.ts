import type { Plot, PlotSeries } from "./plot.ts";

/** The step between grid lines is 1, 2, 2.5 or 5 times a power of ten. For counts, it is rounded up to an integer. */
const stepFactors = [1, 2, 2.5, 5, 10] as const;

/** The values of 2 to 5 grid lines, from 0 to at least `max`. @param isWhole the values are counts */
export const scaleTicks = (max: number, isWhole = false): number[] => {
  if (!(max > 0)) return [0, 1];
  const rough = max / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = stepFactors.find((candidate) => candidate * power >= rough) ?? 10;
  const step = isWhole ? Math.max(1, Math.ceil(factor * power)) : factor * power;
  const count = Math.ceil(max / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
};

/** Which of `count` points have a label on the axis: at most `maxLabels`, evenly spaced, with room at both ends. */
export const labelledPoints = (count: number, maxLabels = 5): number[] => {
  const every = Math.ceil(count / maxLabels);
  const room = Math.floor(every / 2);
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % every === room);
};

/** The series that a legend names. A single series needs no legend, and bars of only zeros can't be seen. */
export const legendOf = ({ shape, series, rows }: Pick<Plot, "shape" | "series" | "rows">): readonly PlotSeries[] => {
  if (series.length < 2) return [];
  return shape === "lines"
    ? series
    : series.filter((_, index) => rows.some(({ values }) => (values[index] ?? 0) !== 0));
};
