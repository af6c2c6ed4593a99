import type { ReactNode } from "react";
import styles from "./pill.module.css";
import tones from "./tone.module.css";

export type Tone = "good" | "warn" | "bad" | "note" | "neutral" | "unknown";

export const Pill = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={[styles.pill, tones[tone], tone === "unknown" && styles.unknown].filter(Boolean).join(" ")}>
    {children}
  </span>
);
