import { formatDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import styles from "./audit-list.module.css";

export type AuditListEntry = {
  seq: number;
  at: string;
  actorKind: string;
  actorId: string;
  action: string;
  subjectId: string;
  requestId: string;
  data: unknown;
};

/** Entries, newest first. A click on an entry shows its details. */
export const AuditList = ({ entries, reader }: { entries: readonly AuditListEntry[]; reader: Reader }) => (
  <ul className={`card ${styles.list}`} aria-label="Entries">
    {entries.map((entry) => (
      <li key={entry.seq}>
        <details className={styles.entry}>
          <summary>
            <code className={styles.action}>{entry.action}</code>
            <span className={`small ${styles.id}`}>{entry.subjectId}</span>
            <span className={`muted small ${styles.id}`}>
              {entry.actorKind} {entry.actorId === "-" ? null : entry.actorId}
            </span>
            <time className={`muted small num ${styles.when}`} dateTime={entry.at}>
              {formatDateTime(new Date(entry.at), reader)}
            </time>
          </summary>
          <div className={styles.detail}>
            <EntryFacts entry={entry} />
          </div>
        </details>
      </li>
    ))}
  </ul>
);

const EntryFacts = ({ entry }: { entry: AuditListEntry }) => (
  <>
    <Facts>
      <Fact name="Number">{entry.seq}</Fact>
      <Fact name="Time (UTC)">{entry.at}</Fact>
      <Fact name="Actor">
        {entry.actorKind} {entry.actorId}
      </Fact>
      <Fact name="Subject">{entry.subjectId}</Fact>
      <Fact name="Request">{entry.requestId}</Fact>
    </Facts>
    <pre className={styles.data}>{JSON.stringify(entry.data, null, 2)}</pre>
  </>
);
