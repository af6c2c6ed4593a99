import type { ReactNode } from "react";
import styles from "./chart.module.css";
import type { PlotSeries } from "./plot.ts";

/** Texts of a chart. Payer-facing pages pass them in the payer's language. */
export type ChartTexts = {
  showTable: string;
  noData: string;
  /** The heading of the table's first column. */
  period: string;
};

const english: ChartTexts = { showTable: "Show as a table", noData: "No data for this period.", period: "Date" };

export const chartTexts = (texts: Partial<ChartTexts> | undefined): ChartTexts => ({ ...english, ...texts });

/** A figure: its summary in one line, the drawing, and the same numbers as a table. */
export const ChartFrame = ({
  title,
  summary,
  legend,
  children,
  table,
  texts,
}: {
  title: string;
  summary: string;
  /** The series that the legend names. Empty: no legend. */
  legend: readonly PlotSeries[];
  children: ReactNode;
  table: ReactNode;
  texts: ChartTexts;
}) => (
  <figure className={`card ${styles.figure}`} aria-label={title}>
    <figcaption className={styles.head}>
      <span className={styles.title}>{title}</span>
      <span className={styles.summary}>{summary}</span>
    </figcaption>
    {legend.length > 0 ? (
      <p className={styles.legend} aria-hidden="true">
        {legend.map(({ name, look }) => (
          <span key={name} className={styles.entry}>
            <i className={styles[look]} />
            {name}
          </span>
        ))}
      </p>
    ) : null}
    {children}
    {table ? (
      <details className={styles.details}>
        <summary>{texts.showTable}</summary>
        {table}
      </details>
    ) : null}
  </figure>
);
