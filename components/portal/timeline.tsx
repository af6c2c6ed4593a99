import type { ReactNode } from "react";
import type { Reader } from "../format/reader.ts";
import { Time } from "../format/time.tsx";
import styles from "./timeline.module.css";

/** What happened to an object, newest first. @param children `TimelineItem`s */
export const Timeline = ({ children }: { children: ReactNode }) => <ol className={styles.timeline}>{children}</ol>;

/** @param note after the time, for example ` · by …` */
export const TimelineItem = ({
  at,
  now,
  reader,
  note,
  children,
}: {
  at: string;
  now: Date;
  reader: Reader;
  note?: ReactNode;
  children: ReactNode;
}) => (
  <li>
    {children}
    <div className="tiny num">
      <Time at={at} now={now} reader={reader} />
      {note}
    </div>
  </li>
);
