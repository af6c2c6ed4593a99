import type { Reader } from "../../format/reader.ts";
import styles from "../../portal/portal.module.css";
import { Timeline, TimelineItem } from "../../portal/timeline.tsx";
import { Pill, type Tone } from "../../ui/pill.tsx";
import { actorName } from "../labels/actor-names.ts";

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
  <Timeline>
    {updates.toReversed().map(({ id, text, actor, at, tone, label }) => (
      <TimelineItem
        key={id}
        at={at}
        now={now}
        reader={reader}
        notes={[`by ${actorName({ actorKind: actor.startsWith("acc_") ? "operator" : "system", actorId: actor })}`]}
      >
        <Pill tone={tone}>{label}</Pill>
        <p className={styles.words}>{text}</p>
      </TimelineItem>
    ))}
  </Timeline>
);
