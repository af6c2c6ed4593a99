import { hash } from "node:crypto";
import type { JsonObject } from "../../kernel/text/json.ts";
import type { HeldKey } from "../keys/read-keys.ts";
import type { Participant } from "./participant.wire.ts";

/**
 * The content of a version: the entry with its keys, but without the version number, the time of the change and what
 * the directory measures. The document is kept forever, so each contact is replaced by `contactHash`. When the contact's
 * salt is deleted, nothing connects the hash with the contact.
 */
export const participantDocument = (participant: Participant, keys: readonly HeldKey[]): JsonObject => {
  const {
    version: _version,
    updated_at: _updatedAt,
    contact_salts: salts,
    contacts,
    health: _health,
    ...kept
  } = participant;
  return {
    ...kept,
    contacts: contacts.map((contact, index) => contactHash(contact, salts[index] ?? "")),
    keys: keys.map(({ thumbprint, jwk }) => ({ thumbprint, kid: jwk.kid ?? null })),
  };
};

/** @param salt 128 bits, base64url. @returns base64url SHA-256 of the salt's bytes and the contact in UTF-8. */
const contactHash = (contact: string, salt: string): string =>
  hash("sha256", Buffer.concat([Buffer.from(salt, "base64url"), Buffer.from(contact)]), "base64url");
