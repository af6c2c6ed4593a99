import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import styles from "../../portal/portal.module.css";
import timeline from "../../portal/timeline.module.css";
import { Pill, type Tone } from "../../ui/pill.tsx";

export type TimelineUpdate = { id: string; text: string; actor: string; at: string; tone: Tone; label: string };

/** The published updates, newest first. */
export const UpdateTimeline = ({
  updates,
  now,
  reader,
}: {
  updates: readonly TimelineUpdate[];
  now: Date;
  reader: Reader;
}) => (
  <ol className={timeline.timeline}>
    {updates.toReversed().map(({ id, text, actor, at, tone, label }) => (
      <li key={id}>
        <Pill tone={tone}>{label}</Pill>
        <p className={styles.words}>{text}</p>
        <div className="tiny num">
          <Time at={at} now={now} reader={reader} /> · by {actor}
        </div>
      </li>
    ))}
  </ol>
);
