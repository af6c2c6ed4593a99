import styles from "./chart.module.css";
import { geometry, type Plot, seriesColors } from "./plot.ts";

const { height, top, axisHeight, axisWidth } = geometry;
const bottom = height - axisHeight;

/**
 * The drawing without JavaScript. The server renders it, so a page with charts loads no chart code. Horizontal
 * positions are percentages, because only the browser knows the width.
 */
export const StaticPlot = ({ plot }: { plot: Plot }) => {
  const max = plot.ticks.at(-1)?.value ?? 1;
  const y = (value: number) => bottom - ((bottom - top) * value) / max;
  const band = 100 / Math.max(plot.rows.length, 1);
  return (
    <div className={styles.still}>
      <svg width={axisWidth} height={height} className={styles.axis} aria-hidden="true">
        {plot.ticks.map(({ value, text }) => (
          <text key={value} x={axisWidth - 8} y={y(value)} dy="0.32em" textAnchor="end">
            {text}
          </text>
        ))}
      </svg>
      <svg width="100%" height={height} className={styles.axis} aria-hidden="true">
        {plot.ticks.map(({ value }) => (
          <line key={value} x1="0" x2="100%" y1={y(value)} y2={y(value)} className={styles.grid} />
        ))}
        {plot.shape === "bars" ? <Bars plot={plot} y={y} /> : <Lines plot={plot} y={y} />}
        {plot.labelled.map((index) => (
          <text key={index} x={`${(index + 0.5) * band}%`} y={height - 8} textAnchor="middle">
            {plot.rows[index]?.label}
          </text>
        ))}
      </svg>
    </div>
  );
};

type Drawing = { plot: Plot; y: (value: number) => number };

const Bars = ({ plot, y }: Drawing) => {
  const band = 100 / plot.rows.length;
  const groups = plot.isStacked ? 1 : plot.series.length;
  const width = (band * 0.7) / groups;
  return plot.rows.map(({ label, values }, row) => {
    let below = 0;
    return values.map((value, index) => {
      // A negative value is drawn as an empty bar. The chart's table shows the value.
      const [from, size] = [plot.isStacked ? below : 0, Math.max(value ?? 0, 0)];
      below += size;
      const slot = plot.isStacked ? 0 : index;
      return (
        <rect
          key={`${label} ${plot.series[index]?.name}`}
          x={`${band * (row + 0.15) + slot * width}%`}
          width={`${width * (groups > 1 ? 0.9 : 1)}%`}
          y={y(from + size)}
          height={y(from) - y(from + size)}
          fill={seriesColors[plot.series[index]?.look ?? "accent"]}
        />
      );
    });
  });
};

const Lines = ({ plot, y }: Drawing) => (
  <svg
    x="0"
    y="0"
    width="100%"
    height={height}
    viewBox={`0 0 ${Math.max(plot.rows.length, 1)} ${height}`}
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    {plot.series.map(({ name, look }, series) => (
      <path
        key={name}
        d={pathOf(
          plot.rows.map(({ values }) => values[series] ?? null),
          y,
        )}
        fill="none"
        stroke={seriesColors[look]}
        strokeWidth="2"
        strokeDasharray={look === "quiet" ? "4 4" : undefined}
        vectorEffect="non-scaling-stroke"
      />
    ))}
  </svg>
);

/** A value of null interrupts the line. */
const pathOf = (values: readonly (number | null)[], y: (value: number) => number): string =>
  values
    .map((value, index) => {
      if (value === null) return "";
      const isStart = (values[index - 1] ?? null) === null;
      return `${isStart ? "M" : "L"}${index + 0.5} ${y(value)}`;
    })
    .join("");
