/** How a series is drawn. `quiet` is the comparison: grey bars or a dashed line. */
export type SeriesLook = "accent" | "note" | "warn" | "bad" | "quiet";

export type PlotSeries = { name: string; look: SeriesLook };

/** A drawing whose texts are formatted on the server, so that the browser needs neither locale nor zone. */
export type Plot = {
  shape: "bars" | "lines";
  isStacked: boolean;
  series: readonly PlotSeries[];
  /** `values` and `texts` have one item per series. */
  rows: readonly { label: string; values: readonly (number | null)[]; texts: readonly string[] }[];
  /** Grid lines, from 0. */
  ticks: readonly { value: number; text: string }[];
  /** Which rows have a label on the axis. */
  labelled: readonly number[];
};

/** Pixels. The static and the interactive drawing have the same geometry, so that nothing moves between them. */
export const geometry = { height: 240, top: 10, axisHeight: 28, axisWidth: 56, barGap: 2 } as const;

export const seriesColors: Readonly<Record<SeriesLook, string>> = {
  accent: "var(--accent)",
  note: "var(--note)",
  warn: "var(--warn)",
  bad: "var(--bad)",
  quiet: "var(--line-control)",
};
