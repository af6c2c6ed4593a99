import { type CryptoKey, compactVerify, decodeProtectedHeader, errors } from "jose";
import type { Server } from "../clients/discover.ts";
import { VerificationError } from "../errors/errors.ts";
import type { CallOptions } from "../http/call-options.ts";
import { getServerKey } from "../keys/server-keys.ts";
import { isMembers, type Members, parseMembers } from "../wire/members.ts";

const algorithms = ["ES256", "PS256", "EdDSA", "Ed25519"];

const readHeader = (jws: string): { kid?: string | undefined; alg?: string | undefined; typ?: string | undefined } => {
  try {
    return decodeProtectedHeader(jws);
  } catch (cause) {
    throw new VerificationError("malformed", "This isn't a signed statement.", { cause });
  }
};

/**
 * The claims of a JWS that `key` signed.
 * @param typ the exact type: a signature for one purpose must not count for another.
 * @throws VerificationError malformed or invalid_signature.
 */
export const verifyWithKey = async (jws: string, { key, typ }: { key: CryptoKey; typ: string }): Promise<Members> => {
  if (readHeader(jws).typ !== typ) throw new VerificationError("malformed", `The statement isn't of the type ${typ}.`);
  try {
    const { payload } = await compactVerify(jws, key, { algorithms });
    const claims = parseMembers(new TextDecoder().decode(payload));
    if (claims !== null) return claims;
  } catch (cause) {
    const code = cause instanceof errors.JWSSignatureVerificationFailed ? "invalid_signature" : "malformed";
    throw new VerificationError(code, "The signature isn't valid.", { cause });
  }
  throw new VerificationError("malformed", "The statement has no claims.");
};

/** The claims of a JWS that the server signed with a published key. */
export const verifyServerJws = async (
  server: Server,
  { jws, typ }: { jws: string; typ: string },
  options: CallOptions,
): Promise<Members> => {
  const { kid, alg } = readHeader(jws);
  if (kid === undefined || alg === undefined || !algorithms.includes(alg)) {
    throw new VerificationError(
      "malformed",
      "The statement’s header has no kid, or its alg is missing or unsupported.",
    );
  }
  return verifyWithKey(jws, { key: await getServerKey(server.jwksUri, { kid, alg }, options), typ });
};

/** @throws VerificationError untrusted_issuer. */
export const assertIssuer = (issuer: unknown, server: Server): void => {
  if (issuer !== server.issuer)
    throw new VerificationError("untrusted_issuer", "The statement was issued by another issuer.");
};

/** How far clocks may differ. */
const leewaySeconds = 60;

/** NumericDate claims (RFC 7519 §4.1.4 and §4.1.5). @throws VerificationError expired or not_yet_valid. */
export const assertInTime = ({ notBefore, until }: { notBefore?: unknown; until: unknown }): void => {
  const now = Date.now() / 1000;
  // NaN, from a date that can't be parsed, counts as expired.
  if (typeof until !== "number" || !(now < until + leewaySeconds)) {
    throw new VerificationError("expired", "The statement has expired.");
  }
  if (notBefore !== undefined && !(Number(notBefore) <= now + leewaySeconds)) {
    throw new VerificationError("not_yet_valid", "The statement isn't valid yet.");
  }
};

const missing = (name: string): VerificationError =>
  new VerificationError("malformed", `The statement has no valid ${name}.`);

/** A member that must be an object. @throws VerificationError malformed. */
export const objectClaim = (claims: Members, name: string): Members => {
  const value = claims[name];
  if (isMembers(value)) return value;
  throw missing(name);
};

export const textClaim = (claims: Members, name: string): string => {
  const value = claims[name];
  if (typeof value === "string") return value;
  throw missing(name);
};

export const numberClaim = (claims: Members, name: string): number => {
  const value = claims[name];
  if (typeof value === "number") return value;
  throw missing(name);
};
