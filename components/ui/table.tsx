import type { ReactNode } from "react";
import styles from "./table.module.css";

/**
 * `wide` leaves on narrow screens, with its cells, which are marked `data-wide`; those of a `figure` are marked
 * `data-figure` and stay on one line; `hidden` is for who hears the page.
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

/** The last column is figures. @param children its `tbody`. */
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

/** A smaller line of its own in a cell. @param isNarrow the word of a `data-wide` column, where that one has left. */
export const CellNote = ({ isNarrow = false, children }: { isNarrow?: boolean; children: ReactNode }) => (
  <span className={isNarrow ? `${styles.under} ${styles.narrow}` : styles.under}>{children}</span>
);
