import {
  findKeyHolders,
  findKeysOfParticipant,
  type KeyHolderRow,
  type ParticipantKeyRow,
} from "../../data/directory/participant-keys.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { participantNotFound } from "../participants/find-participant.ts";

/** A participant's current keys. `withRetired` adds its former keys. @throws DomainError participant_not_found. */
export const listParticipantKeys = async (
  { db }: Pick<Deps, "db">,
  { participantId, withRetired }: { participantId: string; withRetired: boolean },
): Promise<ParticipantKeyRow[]> => {
  const keys = await findKeysOfParticipant(db.sql, { participantId, withRetired });
  if (keys.length === 0 && !(await findParticipant(db.sql, participantId))) throw participantNotFound();
  return keys;
};

/** The participants that hold or held a key, as `findKeyHolders` sorts them. @throws DomainError key_not_found. */
export const listKeyHolders = async (
  { db }: Pick<Deps, "db">,
  thumbprint: string,
): Promise<[KeyHolderRow, ...KeyHolderRow[]]> => {
  const [first, ...others] = await findKeyHolders(db.sql, thumbprint);
  if (first) return [first, ...others];
  const message = "No participant holds or held a key with this thumbprint (RFC 7638, SHA-256).";
  throw new DomainError("not_found", { code: "key_not_found", message });
};
