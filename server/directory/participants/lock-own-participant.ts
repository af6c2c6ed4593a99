import type { Sql } from "../../data/client.ts";
import { lockParticipant } from "../../data/directory/participant-changes.ts";
import type { ParticipantStatus } from "../../data/directory/participants.ts";
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
  const refusal = refusals[held.status];
  if (refusal && !even.includes(held.status)) throw new DomainError("conflict", refusal);
  return held;
};
