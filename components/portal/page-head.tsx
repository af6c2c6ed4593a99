import type { ReactNode } from "react";
import styles from "./page-head.module.css";

export const PageHead = ({ title, children, act }: { title: string; children?: ReactNode; act?: ReactNode }) => (
  <div className={styles.head}>
    <div>
      <h1>{title}</h1>
      {children ? <p className="muted small">{children}</p> : null}
    </div>
    {act}
  </div>
);

export const Section = ({ title, act, children }: { title: string; act?: ReactNode; children: ReactNode }) => (
  <section className={styles.section}>
    <div className={styles.head}>
      <h2>{title}</h2>
      <span className="small">{act}</span>
    </div>
    {children}
  </section>
);

export const CardGrid = ({ children }: { children: ReactNode }) => <div className={styles.grid}>{children}</div>;
