import type { ReactNode } from "react";
import styles from "./side-nav.module.css";

/** The table of contents of a long page. It is beside the page if there is room, otherwise folded above it. */
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
