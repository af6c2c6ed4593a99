import type { ReactNode } from "react";
import styles from "./facts.module.css";
import { WholeWords } from "./whole-words.tsx";

/** A list of names and values. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={`card ${styles.facts}`}>{children}</dl>;

/** Amounts and their sum, one per line, aligned at the right edge. */
export const Sums = ({ children }: { children: ReactNode }) => (
  <dl className={`card ${styles.facts} ${styles.sums}`}>{children}</dl>
);

/** A line of `Sums`. @param isTotal a sum of the lines above */
export const SumLine = ({
  name,
  isTotal = false,
  children,
}: {
  name: string;
  isTotal?: boolean;
  children: ReactNode;
}) => (
  <div className={isTotal ? `${styles.fact} ${styles.total}` : styles.fact}>
    <dt>
      <WholeWords>{name}</WholeWords>
    </dt>
    <dd>
      <WholeWords>{children}</WholeWords>
    </dd>
  </div>
);

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <SumLine name={name}>{children}</SumLine>
);
