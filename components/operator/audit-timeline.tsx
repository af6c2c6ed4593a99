import type { ReactNode } from "react";
import type { OperatorAuditEntry } from "#server/trpc/operator/operator-views.ts";
import type { Reader } from "../format/reader.ts";
import { timelineText } from "../format/timeline-text.ts";
import { Timeline, TimelineItem } from "../portal/timeline.tsx";
import { actorName } from "./labels/actor-names.ts";

/** Audit entries, newest first: the action with its reason, time and actor. @param children earlier entries */
export const AuditTimeline = ({
  entries,
  actionName,
  amountText,
  valueText = (value) => value,
  now,
  reader,
  children,
}: {
  entries: readonly OperatorAuditEntry[];
  /** returns a label for `timelineText` */
  actionName: (action: string) => string;
  /** if it is absent, amounts aren't shown */
  amountText?: (minor: number) => string;
  /** names the previous and the new value of a change */
  valueText?: (value: string) => string;
  now: Date;
  reader: Reader;
  children?: ReactNode;
}) => (
  <Timeline>
    {entries.map((entry, index) => (
      <TimelineItem
        // biome-ignore lint/suspicious/noArrayIndexKey: entries of one instant can have the same action
        key={`${entry.at}-${index}`}
        at={entry.at}
        now={now}
        reader={reader}
        notes={[`by ${actorName(entry)}`]}
      >
        <span>
          {timelineText(
            actionName(entry.action),
            amountText && entry.amountMinor !== null ? amountText(entry.amountMinor) : null,
          )}
        </span>
        {entry.change ? (
          <p className="num">
            {valueText(entry.change.from)} → {valueText(entry.change.to)}
          </p>
        ) : null}
        {entry.reason ? <p>“{entry.reason}”</p> : null}
      </TimelineItem>
    ))}
    {children}
  </Timeline>
);
