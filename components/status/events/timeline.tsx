import { formatPublicDateTime } from "../../format/public-dates.ts";
import styles from "./timeline.module.css";

export type TimelineUpdate = { id: string; stateName: string; text: string; at: Date };

/** The updates, newest first, each with an anchor. */
export const EventTimeline = ({
  updates,
  now,
  tone,
  heading: Heading,
}: {
  updates: readonly TimelineUpdate[];
  now: Date;
  tone: string;
  heading: "h2" | "h3";
}) => (
  <ol className={`${styles.timeline} ${styles[tone] ?? ""}`}>
    {updates.map(({ id, stateName, text, at }) => (
      <li key={id} id={id}>
        <Heading>{stateName}</Heading>
        <p className={`small muted ${styles.text}`}>{text}</p>
        <time className="tiny num" dateTime={at.toISOString()}>
          {formatPublicDateTime(at, now)}
        </time>
      </li>
    ))}
  </ol>
);
