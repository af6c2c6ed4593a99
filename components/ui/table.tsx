import type { ReactNode } from "react";
import styles from "./table.module.css";

/** Cells marked `data-wide` leave on narrow screens; the last column is figures. */
export const Table = ({ caption, children }: { caption: string; children: ReactNode }) => (
  <div className={`card ${styles.scroll}`}>
    <table className={styles.table}>
      <caption className="visuallyHidden">{caption}</caption>
      {children}
    </table>
  </div>
);

/** A smaller line of its own in a cell. @param isNarrow the word of a `data-wide` column, where that one has left. */
export const Under = ({ isNarrow = false, children }: { isNarrow?: boolean; children: ReactNode }) => (
  <span className={isNarrow ? `${styles.under} ${styles.narrow}` : styles.under}>{children}</span>
);
