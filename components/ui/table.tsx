import type { ReactNode } from "react";
import styles from "./table.module.css";

/**
 * `wide`: the column is hidden on narrow screens; each of its cells needs `data-wide`. `figure`: the column doesn't
 * wrap; each of its cells needs `data-figure`. `hidden`: the heading is only for screen readers.
 */
type Column = string | { wide: string } | { figure: string } | { hidden: string };

const Heading = ({ column }: { column: Column }) => {
  if (typeof column === "string") return <th scope="col">{column}</th>;
  if ("hidden" in column) {
    return (
      <th scope="col">
        <span className="visuallyHidden">{column.hidden}</span>
      </th>
    );
  }
  const mark = "wide" in column ? { "data-wide": true } : { "data-figure": true };
  return (
    <th scope="col" {...mark}>
      {nameOf(column)}
    </th>
  );
};

const nameOf = (column: Column): string => (typeof column === "string" ? column : (Object.values(column)[0] ?? ""));

/** The last column holds figures. @param children the `tbody`. */
export const Table = ({
  caption,
  columns,
  children,
}: {
  caption: string;
  columns: readonly Column[];
  children: ReactNode;
}) => (
  <div className={`card ${styles.scroll}`}>
    <table className={styles.table}>
      <caption className="visuallyHidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <Heading key={nameOf(column)} column={column} />
          ))}
        </tr>
      </thead>
      {children}
    </table>
  </div>
);

/** A second, smaller line in a cell. @param isNarrow shown only on narrow screens, instead of a `data-wide` column */
export const CellNote = ({ isNarrow = false, children }: { isNarrow?: boolean; children: ReactNode }) => (
  <span className={isNarrow ? `${styles.under} ${styles.narrow}` : styles.under}>{children}</span>
);
