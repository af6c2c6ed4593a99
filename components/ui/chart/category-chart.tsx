import type { Reader } from "../../format/reader.ts";
import { Link } from "../link.tsx";
import styles from "./chart.module.css";
import { ChartFrame, type ChartTexts, chartTexts } from "./chart-frame.tsx";
import { type ChartUnit, formatChartValue } from "./chart-values.ts";
import { type SeriesLook, seriesColors } from "./plot.ts";

/**
 * Horizontal bars by category, for example the spend of each agent. It is a table with a bar in each row, so it needs
 * neither a second table nor script.
 */
export const CategoryChart = ({
  title,
  summary,
  unit,
  category,
  measure,
  items,
  look = "accent",
  reader,
  texts,
}: {
  title: string;
  summary: string;
  unit: ChartUnit;
  /** The headings of the table's columns. */
  category: string;
  measure: string;
  items: readonly { name: string; value: number; href?: string }[];
  look?: SeriesLook;
  reader: Reader;
  texts?: Partial<ChartTexts>;
}) => {
  const max = Math.max(...items.map(({ value }) => value), 0);
  return (
    <ChartFrame title={title} summary={summary} legend={[]} table={null} texts={chartTexts(texts)}>
      {items.length === 0 ? (
        <p className={styles.noData}>{chartTexts(texts).noData}</p>
      ) : (
        <table className={styles.categories}>
          <caption className="visuallyHidden">{title}</caption>
          <thead className="visuallyHidden">
            <tr>
              <th scope="col">{category}</th>
              <th scope="col">{measure}</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ name, value, href }) => (
              <tr key={`${name} ${href ?? ""}`}>
                <th scope="row">
                  {href ? <Link href={href}>{name}</Link> : name}
                  <svg className={styles.bar} aria-hidden="true">
                    <rect width={`${shareOf(value, max)}%`} height="100%" fill={seriesColors[look]} />
                  </svg>
                </th>
                <td>{formatChartValue(value, unit, reader)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </ChartFrame>
  );
};

/** Percent of the longest bar. A small value stays visible. */
const shareOf = (value: number, max: number): number => (value > 0 ? Math.max((value / max) * 100, 0.5) : 0);
