import type { ReactNode } from "react";
import styles from "./inline-list.module.css";

/**
 * Short facts separated by `·`. A line never starts or ends with the separator.
 * @param items in a fixed order; null and false are left out
 */
export const InlineList = ({ items }: { items: readonly ReactNode[] }) => (
  <span className={styles.list}>
    <span className={styles.items}>
      {items
        .filter((item) => item !== null && item !== false)
        .map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items keep their order
          <span key={index} className={styles.item}>
            {index > 0 ? <span className={styles.separator}> · </span> : null}
            {item}
          </span>
        ))}
    </span>
  </span>
);
