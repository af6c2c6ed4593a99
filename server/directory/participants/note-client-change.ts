import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import {
  appendParticipantVersion,
  findParticipantOfClient,
  touchParticipant,
  withdrawDesertedParticipant,
} from "../../data/directory/participant-changes.ts";

type Change = { clientId: string; at: Date };

/** A client of it was registered anew: what it is capable of may have changed. */
export const noteClientReplaced = async (sql: Sql, { clientId, at }: Change): Promise<void> => {
  const id = await findParticipantOfClient(sql, clientId);
  if (id !== null) await touchParticipant(sql, id, at);
};

/** A client of it is deleted, in the same transaction: who has no other, and is no merchant, leaves the directory with it. */
export const noteClientDeleted = async (
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
