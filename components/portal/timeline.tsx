import type { ReactNode } from "react";
import { InlineList } from "../format/inline-list.tsx";
import type { Reader } from "../format/reader.ts";
import { Time } from "../format/time.tsx";
import styles from "./timeline.module.css";

/** What happened to an object, newest first. @param children `TimelineItem`s */
export const Timeline = ({ children }: { children: ReactNode }) => <ol className={styles.timeline}>{children}</ol>;

/** @param notes after the time, for example who did it */
export const TimelineItem = ({
  at,
  now,
  reader,
  notes = [],
  children,
}: {
  at: string;
  now: Date;
  reader: Reader;
  notes?: readonly ReactNode[];
  children: ReactNode;
}) => (
  <li>
    {children}
    <div className="tiny num">
      <InlineList items={[<Time key="at" at={at} now={now} reader={reader} />, ...notes]} />
    </div>
  </li>
);
