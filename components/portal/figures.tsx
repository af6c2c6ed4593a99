import type { ReactNode } from "react";
import styles from "./figures.module.css";

/**
 * The main numbers of a page, as `Figure` elements. Two or more per line, also on narrow screens, unless a
 * value is too long.
 *
 * @param isStreamed each figure has the same size before and after its value is loaded. Values must be short.
 */
export const Figures = ({ isStreamed = false, children }: { isStreamed?: boolean; children: ReactNode }) => (
  <div className={`card ${styles.frame}`}>
    <dl className={`${styles.figures} ${isStreamed ? styles.streamed : ""}`}>{children}</dl>
  </div>
);

/** @param children a short note below the value */
export const Figure = ({ name, value, children }: { name: string; value: ReactNode; children?: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className={styles.value}>{value}</dd>
    {children === undefined ? null : <dd>{children}</dd>}
  </div>
);
