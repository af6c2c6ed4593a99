import type { EntryTransfer } from "#server/trpc/merchant/directory/entry-transfer-views.ts";
import { StatusPill } from "../../directory/participant-list.tsx";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { Section } from "../../portal/page-head.tsx";
import styles from "../../portal/portal.module.css";
import { CopyId } from "../../ui/copy/copy-id.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { ReceivedActs } from "./received-acts.tsx";

type Props = {
  merchantId: string;
  /** of the signed-in member */
  email: string;
  received: readonly EntryTransfer[];
  hasMore: boolean;
  /** the address of the public directory */
  discoveryUrl: string;
  ownEntryId: string | null;
  isSuspended: boolean;
  mayAccept: boolean;
  mayDecline: boolean;
  now: Date;
  reader: Reader;
};

/** The entries that other merchants offer to the merchant. */
export const ReceivedSection = ({ received, hasMore, isSuspended, ...shared }: Props) =>
  received.length === 0 ? null : (
    <Section title="Offered to you">
      {isSuspended ? (
        <p className="small muted">Your merchant is suspended. You can accept offers when the suspension is lifted.</p>
      ) : null}
      {received.map((transfer) => (
        <ReceivedOffer key={transfer.id} transfer={transfer} {...shared} mayAccept={shared.mayAccept && !isSuspended} />
      ))}
      {hasMore ? <p className="small muted">There are more offers. They appear when you have answered these.</p> : null}
    </Section>
  );

const ReceivedOffer = ({
  transfer: { id, entry, from, expiresAt },
  merchantId,
  email,
  discoveryUrl,
  ownEntryId,
  mayAccept,
  mayDecline,
  now,
  reader,
}: Omit<Props, "received" | "hasMore" | "isSuspended"> & { transfer: EntryTransfer }) => (
  <article className={styles.form} aria-label={`Entry of ${entry.displayName}`}>
    <p className="small">
      <b>{from.name}</b> offers you its directory entry. Nothing changes until an owner or admin of your team accepts.
    </p>
    <Facts>
      <Fact name="Entry">
        <a href={`${discoveryUrl}/${entry.id}`}>{entry.displayName}</a> <StatusPill status={entry.status} />
      </Fact>
      <Fact name="ID">
        <CopyId label="ID" text={entry.id} />
      </Fact>
      <Fact name="Domains">{entry.domains.join(", ") || "None verified"}</Fact>
      <Fact name="From">
        {from.name} <code>{from.id}</code>
      </Fact>
      <Fact name="Open until">
        <Time at={expiresAt} now={now} reader={reader} />
      </Fact>
    </Facts>
    {mayDecline ? (
      <ReceivedActs
        merchantId={merchantId}
        transferId={id}
        name={entry.displayName}
        entryId={entry.id}
        fromName={from.name}
        ownEntryId={ownEntryId}
        email={email}
        mayAccept={mayAccept}
      />
    ) : null}
  </article>
);
