import type { ReactNode } from "react";
import styles from "./facts.module.css";

/** A list of names and values. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={`card ${styles.facts}`}>{children}</dl>;

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
