import type { AccessTokenClaims } from "../../contract/callers.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { decodeJws, verifyJws } from "../../kernel/crypto/jws.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { isUnexpired } from "../../kernel/time/numeric-date.ts";

/** Claims of a mandate token: the audience is one merchant, and the token's spending is counted under its own id. */
export type MandateTokenClaims = AccessTokenClaims & { spend_id: string };

/** Kid of the signing key, under a symbol so that it never appears among the claims. */
export const signedBy = Symbol("kid");
export type VerifiedClaims = AccessTokenClaims & { readonly [signedBy]: string };

/** Explicit types (RFC 8725 §3.11): an access token is never accepted as a mandate token, and vice versa. */
export const jwtTypes = { access: "at+jwt", mandate: "paygrant-mandate+jwt" } as const;
type TokenType = (typeof jwtTypes)[keyof typeof jwtTypes];

/** One of our own access tokens (RFC 9068 §4); null for anything else. */
export const verifyAccessTokenJwt = (deps: Deps, token: string): Promise<VerifiedClaims | null> =>
  verifyTokenJwt(deps, token, [jwtTypes.access]);

/** One of our access or mandate tokens, for introspection and revocation. */
export const verifyIssuedTokenJwt = (deps: Deps, token: string): Promise<VerifiedClaims | null> =>
  verifyTokenJwt(deps, token, [jwtTypes.access, jwtTypes.mandate]);

/**
 * A mandate token with a valid signature by a published key; null for anything else. Callers that explain a refusal
 * use this function, and check issuer, environment, audience and `exp` themselves.
 */
export const readMandateTokenJwt = async (
  deps: Deps,
  token: string,
): Promise<(VerifiedClaims & MandateTokenClaims) | null> => {
  const verified = await verifySignature(deps, token);
  if (verified?.type !== jwtTypes.mandate) return null;
  if (!deps.keys.findVerificationKey(verified.claims[signedBy], "access_token")) return null;
  // Only mandate tokens are signed with this type.
  return verified.claims as VerifiedClaims & MandateTokenClaims;
};

/**
 * Checks the signature, the exact `typ`, issuer, environment and `exp`. A process caches verified signatures by the
 * token's SHA-256; every call checks that the key is still published.
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

/** A bounded cache per key ring. The oldest entry is dropped first. */
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
  // We signed it, so its form is known.
  const claims: VerifiedClaims = { ...(jws.payload as unknown as AccessTokenClaims), [signedBy]: key.kid };
  const verified = { type, claims };
  if (known.size >= maxRemembered) known.delete(known.keys().next().value ?? "");
  known.set(digest, verified);
  return verified;
};
