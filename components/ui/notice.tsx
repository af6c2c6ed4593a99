import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import styles from "./notice.module.css";
import tones from "./tone.module.css";
import { WholeWords } from "./whole-words.tsx";

const icons: Readonly<Record<NoticeTone, IconName>> = { good: "check", warn: "warning", bad: "warning", note: "info" };

export type NoticeTone = "good" | "warn" | "bad" | "note";

/** A message in the page. `isLive`: screen readers read it when it appears. */
export const Notice = ({
  tone,
  isLive = false,
  children,
}: {
  tone: NoticeTone;
  isLive?: boolean;
  children: ReactNode;
}) => (
  <div className={`${styles.notice} ${tones[tone]}`} role={isLive ? (tone === "bad" ? "alert" : "status") : undefined}>
    <Icon name={icons[tone]} />
    <div>
      <WholeWords>{children}</WholeWords>
    </div>
  </div>
);
