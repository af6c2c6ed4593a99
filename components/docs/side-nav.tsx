import type { ReactNode } from "react";
import styles from "./side-nav.module.css";

/** Where a long page leads; beside it where there is room, folded above it where not. */
export const SideNav = ({ label, summary, children }: { label: string; summary: string; children: ReactNode }) => (
  <>
    <nav className={styles.beside} aria-label={label}>
      {children}
    </nav>
    <details className={styles.above}>
      <summary>{summary}</summary>
      <nav aria-label={label}>{children}</nav>
    </details>
  </>
);
