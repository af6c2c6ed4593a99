import { appendAudit } from "../../data/audit/audit.ts";
import {
  appendParticipantVersion,
  type ParticipantEdit,
  updateParticipant,
} from "../../data/directory/participant-changes.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { participantNotFound } from "./find-participant.ts";
import { lockOwnParticipant } from "./lock-own-participant.ts";
import { type EntryContext, toDocument, toParticipant } from "./participant.wire.ts";

type Input = {
  participantId: string;
  clientId: string;
  edit: ParticipantEdit;
  /** whether the caller has read the entry with this entity tag (RFC 9110 §13.1.1) */
  hasRead(etag: string): boolean;
  requestId: string;
  server: EntryContext["server"];
};

/**
 * Replaces a participant's self-description and adds a version to its history. No edit is lost: a caller that hasn't
 * read the current entry is refused.
 * @throws DomainError precondition_failed, and those of `lockOwnParticipant`.
 */
export const editParticipant = (
  deps: Deps,
  { participantId, clientId, edit, hasRead, requestId, server }: Input,
): Promise<{ body: string; etag: string }> =>
  deps.db.sqlTransaction(async (sql) => {
    const held = await lockOwnParticipant(sql, { participantId, clientId }, { even: ["withdrawn"] });
    const present = async () => {
      const row = await findParticipant(sql, participantId);
      if (!row) throw participantNotFound();
      return toDocument(toParticipant(row, { environment: deps.config.environment, server }));
    };
    if (!hasRead((await present()).etag)) {
      throw new DomainError("conflict", {
        code: "precondition_failed",
        message: "The entry was changed after you read it. Read it again and repeat your change.",
      });
    }
    const at = deps.clock.now();
    await updateParticipant(sql, participantId, { edit, at });
    const change = changeOf(held.status === "withdrawn", edit.isWithdrawn);
    await appendParticipantVersion(sql, { id: participantId, change, at });
    await appendAudit(sql, {
      at,
      actor: { kind: "client", id: clientId },
      requestId,
      action: `participant.${change}`,
      subjectId: participantId,
    });
    return present();
  });

const changeOf = (wasWithdrawn: boolean, isWithdrawn: boolean): "edited" | "withdrawn" | "listed_again" => {
  if (wasWithdrawn === isWithdrawn) return "edited";
  return isWithdrawn ? "withdrawn" : "listed_again";
};
