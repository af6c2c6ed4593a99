import type { ReactNode } from "react";
import type { OperatorAuditEntry } from "#server/trpc/operator/operator-views.ts";
import type { Reader } from "../format/reader.ts";
import { Time } from "../format/time.tsx";
import styles from "../portal/timeline.module.css";

const actorName = ({ actorKind, actorId }: OperatorAuditEntry): string =>
  actorKind === "system" ? `the ${actorId}` : `${actorKind} ${actorId}`;

/** Audit entries, newest first: the action with its reason, time and actor. @param children earlier entries */
export const AuditTimeline = ({
  entries,
  actionName,
  now,
  reader,
  children,
}: {
  entries: readonly OperatorAuditEntry[];
  actionName: (action: string) => string;
  now: Date;
  reader: Reader;
  children?: ReactNode;
}) => (
  <ol className={styles.timeline}>
    {entries.map((entry) => (
      <li key={`${entry.at}-${entry.action}`}>
        <span>{actionName(entry.action)}</span>
        {entry.change ? (
          <p className="num">
            {entry.change.from} → {entry.change.to}
          </p>
        ) : null}
        {entry.reason ? <p>“{entry.reason}”</p> : null}
        <div className="tiny num">
          <Time at={entry.at} now={now} reader={reader} /> · by {actorName(entry)}
        </div>
      </li>
    ))}
    {children}
  </ol>
);
