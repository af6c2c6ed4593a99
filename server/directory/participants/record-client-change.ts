import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { findParticipantOfClient, withdrawDesertedParticipant } from "../../data/directory/participant-changes.ts";
import type { Participant } from "./participant.wire.ts";
import { recordVersion } from "./record-version.ts";

type Change = { clientId: string; at: Date; actor: Actor; environment: Participant["environment"] };

/**
 * Call it after a client of the participant was registered or changed in the same transaction, because the
 * participant's capabilities or keys may have changed.
 */
export const recordClientChange = async (
  sql: Sql,
  {
    clientId,
    change,
    at,
    actor,
    environment,
  }: Change & { change: "client_registered" | "client_changed" | "keys_changed" },
): Promise<void> => {
  const id = await findParticipantOfClient(sql, clientId);
  // A registration without an account counts as a change by the client itself.
  const changedBy = actor.kind === "anonymous" ? "client" : actor.kind;
  if (id !== null) await recordVersion(sql, { id, change, changedBy, at, environment });
};

/**
 * Call it in the transaction that deletes a client of the participant. If the participant has no other clients and
 * isn't a merchant, the participant is withdrawn.
 */
export const recordClientDeletion = async (
  sql: Sql,
  { clientId, at, actor, environment, requestId }: Change & { requestId: string },
): Promise<void> => {
  const id = await findParticipantOfClient(sql, clientId);
  if (id === null) return;
  const isWithdrawn = await withdrawDesertedParticipant(sql, id, at);
  const change = isWithdrawn ? "withdrawn" : "client_deleted";
  await recordVersion(sql, { id, change, changedBy: actor.kind, at, environment });
  if (!isWithdrawn) return;
  await appendAudit(sql, {
    at,
    actor,
    requestId,
    action: "participant.withdrawn",
    subjectId: id,
    data: { reason: "its last client was deleted" },
  });
};
