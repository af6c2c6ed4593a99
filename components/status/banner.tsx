import type { ReactNode } from "react";
import { Pill, type Tone } from "../ui/pill.tsx";
import tones from "../ui/tone.module.css";
import styles from "./banner.module.css";

/** The overall status. */
export const Banner = ({
  title,
  tone,
  pill,
  children,
}: {
  title: string;
  tone: Exclude<Tone, "neutral">;
  /** null: no count */
  pill: string | null;
  children: ReactNode;
}) => (
  <section className={`card ${styles.banner} ${tone === "unknown" ? styles.unknown : tones[tone]}`} aria-label="Now">
    <div>
      <h1>{title}</h1>
      <p className="small muted">{children}</p>
    </div>
    {pill ? <Pill tone={tone}>{pill}</Pill> : null}
  </section>
);
