import type { ParticipantRow } from "../../../data/directory/participants.ts";
import { serverParticipantId } from "../../../kernel/server-participant-id.ts";
import type { EntryForOperator } from "../../../operators/entries/get-entry.ts";
import { toAuditEntry } from "../operator-views.ts";

/** Plain JSON for the operator pages. */
export const toListedEntry = ({ id, displayName, roles, status, verifiedDomains, updatedAt }: ParticipantRow) => ({
  id,
  displayName,
  roles,
  status,
  domains: verifiedDomains.map(({ domain }) => domain),
  updatedAt: updatedAt.toISOString(),
});

/** What the server accepts for this entry now, from an operator whose role allows it. */
const entryActs = ({ id, issuer, status, suspendedAt }: ParticipantRow) => {
  const [isSuspended, isWithdrawn] = [suspendedAt !== null, status === "withdrawn"];
  const mayChange = issuer !== null && !isSuspended;
  return {
    suspend: id !== serverParticipantId && !isSuspended,
    resume: isSuspended,
    withdraw: mayChange && !isWithdrawn,
    listAgain: mayChange && isWithdrawn,
  };
};

export const toEntryForOperator = ({ entry, domains, history }: EntryForOperator) => ({
  ...toListedEntry(entry),
  legalName: entry.legalName,
  merchantId: entry.merchantId,
  websiteUri: entry.websiteUri,
  logoUri: entry.logoUri,
  contacts: entry.contacts,
  version: entry.version,
  createdAt: entry.createdAt.toISOString(),
  suspendedAt: entry.suspendedAt?.toISOString() ?? null,
  issuer: entry.issuer,
  /** null: the same environment as the directory */
  environment: entry.environment,
  acts: entryActs(entry),
  claims: domains.map(({ domain, verifiedAt }) => ({ domain, verifiedAt: verifiedAt?.toISOString() ?? null })),
  history: history.map(toAuditEntry),
});

export type OperatorListedEntry = ReturnType<typeof toListedEntry>;
export type OperatorEntry = ReturnType<typeof toEntryForOperator>;
