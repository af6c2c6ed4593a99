import { type Actor, type AuditEntry, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import {
  findParticipantOfMerchant,
  type LockedParticipant,
  lockParticipant,
  lockParticipantRow,
} from "../../data/directory/participant-changes.ts";
import { findParticipant, type ParticipantStatus } from "../../data/directory/participants.ts";
import { DomainError } from "../../kernel/errors.ts";
import { participantNotFound } from "./find-participant.ts";

/** A client of the participant, or a member of its merchant whose role was already checked. */
export type OwnCaller = { clientId: string } | { member: { accountId: string; merchantId: string } };

export const ownActorOf = (caller: OwnCaller): Actor =>
  "member" in caller ? { kind: "merchant", id: caller.member.accountId } : { kind: "client", id: caller.clientId };

type Own = OwnCaller & { participantId: string };

const refusals = {
  suspended: {
    code: "participant_suspended",
    message: "The entry is suspended. It can’t be changed until the suspension ends.",
  },
  withdrawn: {
    code: "participant_withdrawn",
    message: "The entry is withdrawn. List it again first.",
  },
} as const;

/**
 * Locks an entry for one of its own clients or members until the caller's transaction ends.
 * @param even statuses that are accepted although they would normally be refused.
 * @throws DomainError participant_not_found, not_own_participant, participant_suspended, participant_withdrawn.
 */
export const lockOwnParticipant = async (
  sql: Sql,
  own: Own,
  { even = [] }: { even?: readonly ParticipantStatus[] } = {},
): Promise<LockedParticipant> => {
  const caller =
    "member" in own
      ? { clientId: null, merchantId: own.member.merchantId }
      : { clientId: own.clientId, merchantId: null };
  const held = await lockParticipant(sql, { id: own.participantId, ...caller });
  if (!held) throw participantNotFound();
  if (!held.isOwn) {
    throw new DomainError("forbidden", {
      code: "not_own_participant",
      message: "The caller belongs to another participant.",
    });
  }
  refuseStatus(held, even);
  return held;
};

const refuseStatus = (
  { status, isSuspended }: Omit<LockedParticipant, "isOwn">,
  even: readonly ParticipantStatus[],
): void => {
  // An entry that is both suspended and withdrawn has the status "withdrawn".
  if (isSuspended && !even.includes("suspended")) throw new DomainError("conflict", refusals.suspended);
  if (status === "withdrawn" && !even.includes("withdrawn")) throw new DomainError("conflict", refusals.withdrawn);
};

/**
 * Locks a merchant's entry for one of its members until the caller's transaction ends.
 * @returns null if the merchant has no entry.
 * @throws DomainError participant_suspended, participant_withdrawn.
 */
export const lockMerchantParticipant = async (
  sql: Sql,
  merchantId: string,
): Promise<{ id: string; status: ParticipantStatus; verifiedDomains: string[] } | null> => {
  const id = await findParticipantOfMerchant(sql, merchantId);
  if (id === null) return null;
  await lockParticipantRow(sql, id);
  const row = await findParticipant(sql, id);
  // Before the lock was acquired, the entry may have been transferred to another merchant.
  if (row?.merchantId !== merchantId) return null;
  refuseStatus(row, []);
  return { id, status: row.status, verifiedDomains: row.verifiedDomains.map(({ domain }) => domain) };
};

/** Audits a change of the caller's own participant. The merchant's audit log shows the actions of its members. */
export const appendOwnAudit = (
  sql: Sql,
  own: Own,
  { data, ...entry }: Pick<AuditEntry, "at" | "requestId" | "action" | "data">,
): Promise<void> =>
  appendAudit(sql, {
    ...entry,
    actor: ownActorOf(own),
    subjectId: own.participantId,
    data: { ...data, ...("member" in own ? { merchant_id: own.member.merchantId } : {}) },
  });
