import type { ReactNode } from "react";
import styles from "./pill.module.css";

export type Tone = "good" | "warn" | "bad" | "note" | "neutral" | "unknown";

export const Pill = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={[styles.pill, tone !== "neutral" && styles[tone]].filter(Boolean).join(" ")}>{children}</span>
);
