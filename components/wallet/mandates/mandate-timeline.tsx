import { formatRelativeDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import styles from "../../portal/timeline.module.css";

type TimelineEntry = {
  at: string;
  actorKind: string;
  action: string;
  /** `version`: the mandate's version from then on. `grant_id`: the request changes an existing grant. */
  data: Readonly<Record<string, unknown>>;
};

const acts: Readonly<Record<string, string>> = {
  "mandate.activated": "approved it",
  "mandate.rejected": "declined it",
  "mandate.narrowed": "lowered a limit",
  "mandate.replaced": "approved new limits",
  "mandate.replacement_declined": "declined new limits",
  "mandate.suspended": "paused it",
  "mandate.resumed": "resumed it",
  "mandate.revoked": "stopped it",
};

const ends: Readonly<Record<string, string>> = {
  "mandate.expired": "It expired",
  "mandate.consumed": "It was used up",
  "authorization_request.pushed": "Requested",
  "authorization_request.opened": "The request was opened",
  "charge.refused": "A payment was refused",
  "credential.issued": "A credential was issued",
  "credential.withdrawn": "The credential was withdrawn; a new one will be issued",
};

const sentence = ({ action, actorKind, data }: TimelineEntry, clientName: string): string => {
  if (action === "authorization_request.pushed" && data["grant_id"] !== undefined)
    return `${clientName} requested new limits`;
  const actors: Readonly<Record<string, string>> = {
    payer: "You",
    client: clientName,
    operator: "Paygrant",
    merchant: "A merchant",
    system: "Paygrant",
  };
  const act = acts[action];
  if (act) return `${actors[actorKind] ?? "Someone"} ${act}`;
  return ends[action] ?? action.replace(/^[a-z_]+\./, "").replaceAll("_", " ");
};

/** The history of the mandate, newest first, from the audit log. */
export const MandateTimeline = ({
  entries,
  clientName,
  now,
  reader,
}: {
  entries: readonly TimelineEntry[];
  clientName: string;
  now: Date;
  reader: Reader;
}) => (
  <ol className={styles.timeline}>
    {entries.map((entry) => (
      <li key={`${entry.at}-${entry.action}`}>
        <span>{sentence(entry, clientName)}</span>
        <div className="tiny num">
          <time dateTime={entry.at}>{formatRelativeDateTime(new Date(entry.at), now, reader)}</time>
          {typeof entry.data["version"] === "number" ? ` · version ${entry.data["version"]}` : null}
        </div>
      </li>
    ))}
  </ol>
);
