import type { JsonObject } from "#server/kernel/text/json.ts";
import type { Reader } from "../format/reader.ts";
import { Timeline, TimelineItem } from "../portal/timeline.tsx";
import { describeChanges } from "./describe-changes.ts";
import styles from "./directory.module.css";
import { changeLabel } from "./directory-labels.ts";

export type HistoryEntry = {
  version: number;
  change: string;
  changedAt: string;
  changedBy: string;
  logIndex: number;
  document: JsonObject;
  /** the document of the previous version; null for the first version */
  before: JsonObject | null;
  /** JSON Patch (RFC 6902) */
  diff: unknown;
};

/** A key's thumbprint (RFC 7638: SHA-256, base64url) is shown as code. */
const Value = ({ text }: { text: string }) => (/^[\w-]{43}$/.test(text) ? <code>{text}</code> : text);

const Changes = ({ before, after }: { before: JsonObject; after: JsonObject }) => (
  <dl className={styles.diff}>
    {describeChanges(before, after).map(({ field, removed, added }) => (
      <div key={field}>
        <dt>{field}</dt>
        <dd>
          {removed.map((value) => (
            <del key={value}>
              <span className="visuallyHidden">Removed: </span>
              <Value text={value} />
            </del>
          ))}
          {added.map((value) => (
            <ins key={value}>
              <span className="visuallyHidden">Added: </span>
              <Value text={value} />
            </ins>
          ))}
        </dd>
      </div>
    ))}
  </dl>
);

/** The versions of an entry, newest first, each with its changes. */
export const ParticipantHistory = ({
  entries,
  now,
  reader,
  changesHref,
}: {
  entries: readonly HistoryEntry[];
  now: Date;
  reader: Reader;
  /** address of the API's list of changes; if it is set, each version links to its change in this list */
  changesHref?: string;
}) => (
  <Timeline>
    {entries.map(({ version, change, changedAt, changedBy, logIndex, document, before, diff }) => (
      <TimelineItem
        key={version}
        at={changedAt}
        now={now}
        reader={reader}
        notes={[
          `version ${version}`,
          // The link is part of a text: alone, it would be too small a target (WCAG 2.5.8).
          <span key="by">
            by the {changedBy}, in{" "}
            {changesHref === undefined ? (
              `log entry ${logIndex}`
            ) : (
              <a href={`${changesHref}?cursor=${logIndex}&limit=1`}>log entry {logIndex}</a>
            )}
          </span>,
        ]}
      >
        <b>{changeLabel(change)}</b>
        {before ? <Changes before={before} after={document} /> : null}
        <details className={styles.patch}>
          <summary className="small">JSON Patch of version {version}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also with the keyboard */}
          <pre tabIndex={0}>{JSON.stringify(diff, null, 2)}</pre>
        </details>
      </TimelineItem>
    ))}
  </Timeline>
);
