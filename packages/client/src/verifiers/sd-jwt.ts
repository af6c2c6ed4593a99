import { base64url } from "jose";
import { VerificationError } from "../errors/errors.ts";
import { sha256, utf8 } from "../wire/bytes.ts";
import { isMembers, type Members } from "../wire/members.ts";

/** The parts of an SD-JWT, with or without key binding (RFC 9901 §4). */
export type SdJwtParts = {
  jwt: string;
  disclosures: readonly string[];
  /** null if there is none */
  keyBinding: string | null;
  /** everything before the key-binding JWT */
  bound: string;
};

export const splitSdJwt = (text: string): SdJwtParts => {
  const [jwt = "", ...rest] = text.split("~");
  const keyBinding = rest.pop() ?? "";
  return {
    jwt,
    disclosures: rest,
    keyBinding: keyBinding === "" ? null : keyBinding,
    bound: text.slice(0, text.length - keyBinding.length),
  };
};

type Disclosure = { name: string; value: unknown };

const malformed = (why: string): VerificationError => new VerificationError("malformed", why);

const readDisclosure = (text: string): Disclosure => {
  let parts: unknown;
  try {
    parts = JSON.parse(new TextDecoder().decode(base64url.decode(text)));
  } catch (cause) {
    throw new VerificationError("malformed", "A disclosure isn't JSON.", { cause });
  }
  const [, name, value] = Array.isArray(parts) && parts.length === 3 ? parts : [];
  if (typeof name !== "string" || name === "_sd" || name === "...") throw malformed("A disclosure has no valid name.");
  return { name, value };
};

const digestsOf = (object: Members): string[] => {
  const { _sd: digests } = object;
  return Array.isArray(digests) ? digests.filter((digest) => typeof digest === "string") : [];
};

/** The object with the disclosed members (RFC 9901 §7.1 (3)). `used` collects the digests that were found. */
const reveal = (object: Members, disclosed: ReadonlyMap<string, Disclosure>, used: Set<string>): Members => {
  const { _sd: _digests, ...plain } = object;
  const members = new Map<string, unknown>(Object.entries(plain));
  for (const digest of digestsOf(object)) {
    const disclosure = disclosed.get(digest);
    if (!disclosure) continue;
    if (used.has(digest) || members.has(disclosure.name)) throw malformed("A digest or a member's name occurs twice.");
    used.add(digest);
    members.set(disclosure.name, disclosure.value);
  }
  return Object.fromEntries(
    [...members].map(([name, value]) => [name, isMembers(value) ? reveal(value, disclosed, used) : value]),
  );
};

/**
 * Adds the disclosed members to the issuer's claims.
 * @throws VerificationError malformed if a disclosure is invalid or repeated, if the issuer signed no digest of it, or
 *   if an unsupported hash is used.
 */
export const discloseClaims = async (claims: Members, disclosures: readonly string[]): Promise<Members> => {
  if (claims["_sd_alg"] !== undefined && claims["_sd_alg"] !== "sha-256") throw malformed("_sd_alg isn't supported.");
  const { _sd_alg: _algorithm, ...plain } = claims;
  const disclosed = new Map<string, Disclosure>();
  for (const text of disclosures) {
    const digest = base64url.encode(await sha256(utf8(text)));
    if (disclosed.has(digest)) throw malformed("A disclosure occurs twice.");
    disclosed.set(digest, readDisclosure(text));
  }
  const used = new Set<string>();
  const revealed = reveal(plain, disclosed, used);
  if (used.size !== disclosed.size) throw malformed("The issuer didn't sign a digest of each disclosure.");
  return revealed;
};
