import { hash } from "node:crypto";
import { thumbprintOfKey } from "../../kernel/crypto/jwk-thumbprint.ts";
import { importPublicJwk } from "../../kernel/crypto/jws.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import type { Participant } from "./participant.wire.ts";

/**
 * The content of a version: the entry without its version and without what changes by itself, and with its keys. It is
 * kept forever, so each contact is replaced by `contactHash`. When the contact's salt is deleted, nothing connects the
 * hash with the contact.
 */
export const participantDocument = (participant: Participant, keys: readonly unknown[]): JsonObject => {
  const { version: _version, updated_at: _updatedAt, contact_salts: salts, contacts, ...kept } = participant;
  return {
    ...kept,
    contacts: contacts.map((contact, index) => contactHash(contact, salts[index] ?? "")),
    keys: documentKeys(keys),
  };
};

/** @param salt 128 bits, base64url. @returns base64url SHA-256 of the salt's bytes and the contact in UTF-8. */
const contactHash = (contact: string, salt: string): string =>
  hash("sha256", Buffer.concat([Buffer.from(salt, "base64url"), Buffer.from(contact)]), "base64url");

/** The thumbprint (RFC 7638) and `kid` of each usable key, each key once, by thumbprint. */
const documentKeys = (jwks: readonly unknown[]): { thumbprint: string; kid: string | null }[] => {
  const byThumbprint = new Map<string, string | null>();
  for (const jwk of jwks) {
    if (typeof jwk !== "object" || jwk === null) continue;
    const key = importPublicJwk(jwk);
    const { kid } = jwk as { kid?: unknown };
    if (key) byThumbprint.set(thumbprintOfKey(key), typeof kid === "string" ? kid : null);
  }
  return [...byThumbprint]
    .map(([thumbprint, kid]) => ({ thumbprint, kid }))
    .toSorted((left, right) => (left.thumbprint < right.thumbprint ? -1 : 1));
};
