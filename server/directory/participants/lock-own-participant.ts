import type { Sql } from "../../data/client.ts";
import {
  findParticipantOfMerchant,
  lockParticipant,
  lockParticipantRow,
} from "../../data/directory/participant-changes.ts";
import { findParticipant, type ParticipantStatus } from "../../data/directory/participants.ts";
import { DomainError } from "../../kernel/errors.ts";
import { participantNotFound } from "./find-participant.ts";

type Own = {
  participantId: string;
  /** the calling client; refused unless it belongs to the participant */
  clientId: string;
};

const refusals: Readonly<Partial<Record<ParticipantStatus, { code: string; message: string }>>> = {
  suspended: {
    code: "participant_suspended",
    message: "The participant is suspended. Its entry can't be changed until the suspension ends.",
  },
  withdrawn: {
    code: "participant_withdrawn",
    message: "The participant is withdrawn. To list it again, send PUT with a body that doesn't contain withdrawn.",
  },
};

/**
 * Locks an entry for one of its own clients until the caller's transaction ends.
 * @param even statuses that are accepted although they would normally be refused.
 * @throws DomainError participant_not_found, not_own_participant, participant_suspended, participant_withdrawn.
 */
export const lockOwnParticipant = async (
  sql: Sql,
  { participantId, clientId }: Own,
  { even = [] }: { even?: readonly ParticipantStatus[] } = {},
): Promise<{ status: ParticipantStatus }> => {
  const held = await lockParticipant(sql, { id: participantId, clientId });
  if (!held) throw participantNotFound();
  if (!held.isOwn) {
    throw new DomainError("forbidden", {
      code: "not_own_participant",
      message: "This client belongs to another participant.",
    });
  }
  refuseStatus(held.status, even);
  return held;
};

const refuseStatus = (status: ParticipantStatus, even: readonly ParticipantStatus[]): void => {
  const refusal = refusals[status];
  if (refusal && !even.includes(status)) throw new DomainError("conflict", refusal);
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
  if (!row) return null;
  refuseStatus(row.status, []);
  return { id, status: row.status, verifiedDomains: row.verifiedDomains.map(({ domain }) => domain) };
};
