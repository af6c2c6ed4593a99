import { type ParticipantEdit, updateParticipant } from "../../data/directory/participant-changes.ts";
import { replaceMetadataUris } from "../../data/directory/participant-metadata.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { requireMetadataUris } from "../health/require-metadata-uris.ts";
import { saltsOf } from "./contact-salts.ts";
import { participantNotFound } from "./find-participant.ts";
import { appendOwnAudit, lockOwnParticipant, type OwnCaller, ownActorOf } from "./lock-own-participant.ts";
import { type EntryContext, editTag, toDocument, toParticipant } from "./participant.wire.ts";
import { recordVersion } from "./record-version.ts";

type Input = OwnCaller & {
  participantId: string;
  edit: ParticipantEdit;
  /** whether the caller has read the version with this tag: an entity tag (RFC 9110 §13.1.1) or an `editTag` */
  hasRead(etag: string): boolean;
  requestId: string;
  server: EntryContext["server"];
};

/**
 * Replaces a participant's self-description and adds a version to its history. No edit is lost: a caller that hasn't
 * read the current entry is refused.
 * @throws DomainError precondition_failed; invalid, naming /metadata_documents; and those of `lockOwnParticipant`.
 */
export const editParticipant = (deps: Deps, input: Input): Promise<{ body: string; etag: string }> =>
  deps.db.sqlTransaction(async (sql) => {
    const { participantId, edit, hasRead, requestId, server } = input;
    const held = await lockOwnParticipant(sql, input, { even: ["withdrawn"] });
    const { environment } = deps.config;
    const at = deps.clock.now();
    const readRow = async () => (await findParticipant(sql, participantId)) ?? refuseUnknown();
    const before = await readRow();
    const entry = toParticipant(before, { environment, server, now: at });
    if (!hasRead(toDocument(entry).etag) && !hasRead(editTag(entry))) {
      throw new DomainError("conflict", {
        code: "precondition_failed",
        message: "The entry was changed in the meantime. Check the current entry, then repeat your change.",
      });
    }
    requireMetadataUris(deps, before, edit.metadataUris);
    await updateParticipant(sql, participantId, { edit, contactSalts: saltsOf(edit.contacts, before), at });
    await replaceMetadataUris(sql, participantId, { uris: edit.metadataUris, at });
    const change = changeOf(held.status === "withdrawn", edit.isWithdrawn);
    await recordVersion(sql, { id: participantId, change, changedBy: ownActorOf(input).kind, at, environment });
    await appendOwnAudit(sql, input, { at, requestId, action: `participant.${change}` });
    return toDocument(toParticipant(await readRow(), { environment, server, now: at }));
  });

const refuseUnknown = (): never => {
  throw participantNotFound();
};

const changeOf = (wasWithdrawn: boolean, isWithdrawn: boolean): "edited" | "withdrawn" | "listed_again" => {
  if (wasWithdrawn === isWithdrawn) return "edited";
  return isWithdrawn ? "withdrawn" : "listed_again";
};
