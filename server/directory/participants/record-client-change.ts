import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import {
  appendParticipantVersion,
  findParticipantOfClient,
  touchParticipant,
  withdrawDesertedParticipant,
} from "../../data/directory/participant-changes.ts";

type Change = { clientId: string; at: Date };

/** A client of the participant changed its registration, so its capabilities may have changed. */
export const recordClientReplacement = async (sql: Sql, { clientId, at }: Change): Promise<void> => {
  const id = await findParticipantOfClient(sql, clientId);
  if (id !== null) await touchParticipant(sql, id, at);
};

/**
 * A client of the participant is deleted in the same transaction. If the participant has no other clients and isn't a
 * merchant, it is withdrawn too.
 */
export const recordClientDeletion = async (
  sql: Sql,
  { clientId, at, actor, requestId }: Change & { actor: Actor; requestId: string },
): Promise<void> => {
  const id = await findParticipantOfClient(sql, clientId);
  if (id === null) return;
  if (!(await withdrawDesertedParticipant(sql, id, at))) return touchParticipant(sql, id, at);
  await appendParticipantVersion(sql, { id, change: "withdrawn", at });
  await appendAudit(sql, {
    at,
    actor,
    requestId,
    action: "participant.withdrawn",
    subjectId: id,
    data: { reason: "its last client was deleted" },
  });
};
