import type { ReactNode } from "react";
import { Pill } from "../../ui/pill.tsx";
import styles from "./getting-started.module.css";

type Props = { number: number; title: string; isDone: boolean | null; children: ReactNode };

/** One step. `isDone`: null if the server can't determine it. */
export const Step = ({ number, title, isDone, children }: Props) => (
  <li className={`card ${styles.step}`} data-done={isDone === true || undefined}>
    <div className={styles.stepHead}>
      <h2>
        {number}. {title}
      </h2>
      {isDone === null ? null : isDone ? <Pill tone="good">Done</Pill> : <Pill tone="neutral">To do</Pill>}
    </div>
    {children}
  </li>
);
