import type { Reader } from "../../format/reader.ts";
import styles from "./chart.module.css";
import { ChartFrame, type ChartTexts, chartTexts } from "./chart-frame.tsx";
import { labelledPoints, legendOf, scaleTicks } from "./chart-scale.ts";
import { type ChartInterval, type ChartUnit, formatAxisValue, formatChartValue, formatPoint } from "./chart-values.ts";
import { LazyPlot } from "./lazy-plot.tsx";
import type { Plot, PlotSeries, SeriesLook } from "./plot.ts";
import { StaticPlot } from "./static-plot.tsx";

export type TimeChartProps = {
  title: string;
  /** One line that says what the numbers mean, for example the sum and its change. */
  summary: string;
  unit: ChartUnit;
  interval: ChartInterval;
  /** One item per value of a point. A comparison with an earlier period has the look `quiet`. */
  series: readonly { name: string; look?: SeriesLook }[];
  /** `at`: `2026-11-26`, `2026-11` for a month, an ISO instant for an hour or a time. A value of null is unknown. */
  points: readonly { at: string; values: readonly (number | null)[] }[];
  shape?: "bars" | "lines";
  isStacked?: boolean;
  reader: Reader;
  texts?: Partial<ChartTexts>;
};

const looks: readonly SeriesLook[] = ["accent", "note", "warn", "bad"];

/** Bars or lines over time, with the same numbers as a table. */
export const TimeChart = (props: TimeChartProps) => {
  const texts = chartTexts(props.texts);
  const plot = plotOf(props);
  const hasData = plot.rows.some(({ values }) => values.some((value) => value !== null));
  return (
    <ChartFrame
      title={props.title}
      summary={props.summary}
      legend={legendOf(plot)}
      texts={texts}
      table={hasData ? <ChartTable title={props.title} period={texts.period} plot={plot} /> : null}
    >
      {hasData ? (
        <LazyPlot plot={plot}>
          <StaticPlot plot={plot} />
        </LazyPlot>
      ) : (
        <p className={styles.noData}>{texts.noData}</p>
      )}
    </ChartFrame>
  );
};

const plotOf = ({
  unit,
  interval,
  series,
  points,
  reader,
  shape = "bars",
  isStacked = false,
}: TimeChartProps): Plot => {
  const sums = points.flatMap(({ values }) =>
    isStacked ? [values.reduce<number>((sum, value) => sum + (value ?? 0), 0)] : values.map((value) => value ?? 0),
  );
  const isWhole = unit.kind === "count";
  const labels = points.map(({ at }) => formatPoint(at, interval, reader));
  // Labels such as "May 2026" need more room on a phone.
  const mostLabels = labels.some((label) => label.length > 6) ? 3 : 5;
  return {
    shape,
    isStacked,
    series: series.map(({ name, look }, index): PlotSeries => ({ name, look: look ?? looks[index] ?? "accent" })),
    rows: points.map(({ values }, index) => ({
      label: labels[index] ?? "",
      values,
      texts: values.map((value) => formatChartValue(value, unit, reader)),
    })),
    ticks: scaleTicks(Math.max(0, ...sums), isWhole).map((value) => ({
      value,
      text: formatAxisValue(value, unit, reader),
    })),
    labelled: labelledPoints(points.length, mostLabels),
  };
};

const ChartTable = ({ title, period, plot }: { title: string; period: string; plot: Plot }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable with the keyboard
  <section className={styles.scroll} aria-label={title} tabIndex={0}>
    <table className={styles.table}>
      <caption className="visuallyHidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{period}</th>
          {plot.series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {plot.rows.map(({ label, texts }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {texts.map((text, index) => (
              <td key={plot.series[index]?.name}>{text}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
