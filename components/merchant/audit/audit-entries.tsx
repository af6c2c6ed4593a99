import type { MerchantAuditEntry } from "#server/merchants/audit/search-merchant-audit.ts";
import { formatDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import styles from "./audit-entries.module.css";
import { auditLabel } from "./audit-labels.ts";
import { changesOf, factText, nameText } from "./entry-changes.ts";

export type AuditLine = Omit<MerchantAuditEntry, "at"> & { at: string };

/** Entries, newest first. A click on an entry shows its details. */
export const AuditEntries = ({ entries, reader }: { entries: readonly AuditLine[]; reader: Reader }) => (
  <ul className={`card ${styles.list}`} aria-label="Entries">
    {entries.map((entry) => (
      <li key={entry.seq}>
        <details className={styles.entry}>
          <summary>
            <b className={styles.action}>{auditLabel(entry.action)}</b>
            <span className={`muted small ${styles.who}`}>{actorText(entry.actor)}</span>
            <time className={`muted small num ${styles.when}`} dateTime={entry.at}>
              {formatDateTime(new Date(entry.at), reader)}
            </time>
          </summary>
          <EntryDetails entry={entry} />
        </details>
      </li>
    ))}
  </ul>
);

const actorText = ({ kind, id, name }: AuditLine["actor"]): string => {
  if (kind === "operator") return "Paygrant";
  if (kind === "system") return "System";
  return name ?? (kind === "merchant" ? `Former member ${id}` : (id ?? kind));
};

const EntryDetails = ({ entry }: { entry: AuditLine }) => {
  const { before, after, ...facts } = entry.data;
  const changes = changesOf(before, after);
  return (
    <div className={styles.detail}>
      {changes.length > 0 ? (
        <table className={styles.changes}>
          <caption className="visuallyHidden">Values before and after</caption>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, from, to }) => (
              <tr key={name}>
                <th scope="row">{nameText(name)}</th>
                <td>{from}</td>
                <td>{to}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      <Facts>
        <Fact name="Action">
          <code>{entry.action}</code>
        </Fact>
        {entry.actor.id ? <Fact name="Actor ID">{entry.actor.id}</Fact> : null}
        <Fact name="Object">{entry.subjectId}</Fact>
        {Object.entries(facts).map(([name, value]) => (
          <Fact key={name} name={nameText(name)}>
            {factText(value)}
          </Fact>
        ))}
        <Fact name="Request ID">{entry.requestId}</Fact>
        <Fact name="Time (UTC)">{entry.at}</Fact>
      </Facts>
    </div>
  );
};
