import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import type { Json, JsonObject } from "../../kernel/text/json.ts";

export type Concealed = {
  /** the object with `_sd` instead of the concealed members */
  object: JsonObject;
  /** in base64url, appended to the JWT between tildes */
  disclosures: readonly string[];
};

/**
 * Conceals members of an object, each in its own disclosure (RFC 9901 §4.2.1).
 * @param newSalt at least 128 random bits in base64url.
 * @param totalDigests decoy digests are added up to this number, so that the count reveals nothing (§4.2.5).
 */
export const conceal = (
  object: JsonObject,
  names: ReadonlySet<string>,
  { newSalt, totalDigests }: { newSalt: () => string; totalDigests: number },
): Concealed => {
  const isConcealed = ([name]: readonly [string, Json]) => names.has(name);
  const members = Object.entries(object);
  const disclosures = members.filter(isConcealed).map(([name, value]) => toDisclosure(newSalt(), name, value));
  const decoys = Array.from({ length: Math.max(0, totalDigests - disclosures.length) }, () =>
    sha256Base64url(newSalt()),
  );
  // Sorted, because the digest order must not reveal the member order (§4.2.4.1).
  const digests = [...disclosures.map((disclosure) => sha256Base64url(disclosure)), ...decoys].sort();
  return {
    object: { ...Object.fromEntries(members.filter((member) => !isConcealed(member))), _sd: digests },
    disclosures,
  };
};

const toDisclosure = (salt: string, name: string, value: Json): string =>
  Buffer.from(JSON.stringify([salt, name, value])).toString("base64url");

/** An SD-JWT without key binding: it ends with a tilde (RFC 9901 §4). */
export const toSdJwt = (jwt: string, disclosures: readonly string[]): string => [jwt, ...disclosures, ""].join("~");

export type PresentedSdJwt = {
  /** the issuer's JWT */
  jwt: string;
  disclosures: readonly string[];
  /** the key-binding JWT; null if there is none */
  keyBinding: string | null;
  /**
   * base64url SHA-256 of everything before the key-binding JWT. Its `sd_hash` must have this value (RFC 9901 §4.3.1)
   */
  sdHash: string;
};

/** Parses a presented SD-JWT (RFC 9901 §4). @returns null for text without a tilde. */
export const parsePresented = (text: string): PresentedSdJwt | null => {
  const [jwt = "", ...rest] = text.split("~");
  const keyBinding = rest.pop();
  if (keyBinding === undefined) return null;
  const sdHash = sha256Base64url(text.slice(0, text.length - keyBinding.length));
  return { jwt, disclosures: rest, keyBinding: keyBinding === "" ? null : keyBinding, sdHash };
};

/**
 * Whether the issuer signed a digest of each disclosure, no disclosure occurs twice, and each discloses an object
 * member (RFC 9901 §7.1, 3 and 4). Our credentials are flat: no disclosure contains digests of others.
 */
export const areDisclosed = (disclosures: readonly string[], digests: unknown): boolean => {
  const signed = new Set<unknown>(Array.isArray(digests) ? digests : []);
  const isDistinct = new Set(disclosures).size === disclosures.length;
  return isDistinct && disclosures.every((text) => signed.has(sha256Base64url(text)) && isMember(text));
};

const isMember = (disclosure: string): boolean => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(disclosure, "base64url").toString());
    return Array.isArray(parts) && parts.length === 3 && typeof parts[1] === "string";
  } catch {
    return false;
  }
};
