import type { AccessTokenClaims } from "../../contract/callers.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { decodeJws, verifyJws } from "../../kernel/crypto/jws.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { isUnexpired } from "../../kernel/time/numeric-date.ts";

/** A mandate token's: the audience is one merchant, and what it spends is counted under an id of its own. */
export type MandateTokenClaims = AccessTokenClaims & { spend_id: string };

/** Kid of the key that signed a token: known beside its claims, and under a symbol never shown among them. */
export const signedBy = Symbol("kid");
export type VerifiedClaims = AccessTokenClaims & { readonly [signedBy]: string };

/** Explicit types (RFC 8725 §3.11): an access token is no mandate token and the other way round, whoever signed it. */
export const jwtTypes = { access: "at+jwt", mandate: "paygrant-mandate+jwt" } as const;
type TokenType = (typeof jwtTypes)[keyof typeof jwtTypes];

/** One of our own access tokens (RFC 9068 §4); null for anything else. */
export const verifyAccessTokenJwt = (deps: Deps, token: string): Promise<VerifiedClaims | null> =>
  verifyTokenJwt(deps, token, [jwtTypes.access]);

/** An access token or a mandate token of ours: for those who may ask about either, or end it. */
export const verifyIssuedTokenJwt = (deps: Deps, token: string): Promise<VerifiedClaims | null> =>
  verifyTokenJwt(deps, token, [jwtTypes.access, jwtTypes.mandate]);

/**
 * A mandate token that we signed by a key that stands, whatever else became of it; null for anything else. For one who
 * tells why it is of no use: issuer, environment, audience and `exp` are the caller's to check.
 */
export const readMandateTokenJwt = async (
  deps: Deps,
  token: string,
): Promise<(VerifiedClaims & MandateTokenClaims) | null> => {
  const verified = await verifySignature(deps, token);
  if (verified?.type !== jwtTypes.mandate) return null;
  if (!deps.keys.findVerificationKey(verified.claims[signedBy], "access_token")) return null;
  // Of a type that only mandate tokens are signed with.
  return verified.claims as VerifiedClaims & MandateTokenClaims;
};

/**
 * Signature, exact `typ`, issuer, environment and `exp`.
 * A signature is checked once: a process remembers it by the token's SHA-256 until `exp`, as long as its key stands.
 */
const verifyTokenJwt = async (
  deps: Deps,
  token: string,
  types: readonly TokenType[],
): Promise<VerifiedClaims | null> => {
  const verified = await verifySignature(deps, token);
  if (!verified || !types.includes(verified.type)) return null;
  const { claims } = verified;
  if (!deps.keys.findVerificationKey(claims[signedBy], "access_token")) return null;
  const isCurrent = claims.iss === deps.config.baseUrl && isUnexpired(claims.exp, epochSeconds(deps.clock.now()));
  return isCurrent && claims.env === deps.config.environment ? claims : null;
};

type Verified = { type: TokenType; claims: VerifiedClaims };

/** Per key ring, bounded; the oldest leaves first. */
const remembered = new WeakMap<Deps["keys"], Map<string, Verified>>();
const maxRemembered = 10_000;

export const countRememberedTokens = (keys: Deps["keys"]): number => remembered.get(keys)?.size ?? 0;

const verifySignature = async ({ keys }: Deps, token: string): Promise<Verified | null> => {
  const known = remembered.get(keys) ?? new Map<string, Verified>();
  remembered.set(keys, known);
  const digest = sha256Base64url(token);
  const before = known.get(digest);
  if (before) return before;
  const jws = decodeJws(token);
  const { kid, typ } = jws?.header ?? {};
  const type = Object.values(jwtTypes).find((own) => own === typ);
  if (!jws || typeof kid !== "string" || !type) return null;
  const key = keys.findVerificationKey(kid, "access_token") ?? (await keys.awaitVerificationKey(kid, "access_token"));
  if (!key || !verifyJws(jws, key.publicKey)) return null;
  // Signed by us, so of our own shape.
  const claims: VerifiedClaims = { ...(jws.payload as unknown as AccessTokenClaims), [signedBy]: key.kid };
  const verified = { type, claims };
  if (known.size >= maxRemembered) known.delete(known.keys().next().value ?? "");
  known.set(digest, verified);
  return verified;
};
