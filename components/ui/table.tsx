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
