import type { Actor } from "../data/audit.ts";
import { appendAudit } from "../data/audit.ts";
import type { Sql } from "../data/client.ts";
import {
  appendParticipantVersion,
  touchParticipantOf,
  withdrawDesertedParticipant,
} from "../data/participant-changes.ts";

type Change = { clientId: string; at: Date };

/** A client of it was registered anew: what it is capable of may have changed. */
export const noteClientReplaced = (sql: Sql, { clientId, at }: Change): Promise<void> =>
  touchParticipantOf(sql, clientId, at);

/** A client of it is deleted, in the same transaction: who has no other, and is no merchant, leaves the directory with it. */
export const noteClientDeleted = async (
  sql: Sql,
  { clientId, at, actor, requestId }: Change & { actor: Actor; requestId: string },
): Promise<void> => {
  const id = await withdrawDesertedParticipant(sql, clientId, at);
  if (id === null) return touchParticipantOf(sql, clientId, at);
  await appendParticipantVersion(sql, { id, change: "withdrawn", at });
  await appendAudit(sql, {
    ...{ at, actor, requestId, action: "participant.withdrawn", subjectId: id },
    data: { reason: "its last client was deleted" },
  });
};
