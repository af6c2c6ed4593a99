import type { ReactNode } from "react";
import styles from "./empty-state.module.css";

export const EmptyState = ({ title, children, act }: { title: string; children: ReactNode; act?: ReactNode }) => (
  <div className={`card ${styles.empty}`}>
    <h2>{title}</h2>
    <p className="muted small">{children}</p>
    {act}
  </div>
);
