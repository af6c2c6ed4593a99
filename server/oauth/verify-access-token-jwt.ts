import { compactVerify, decodeProtectedHeader, errors } from "jose";
import type { Deps } from "../deps.ts";
import { sha256Base64url } from "../kernel/hash.ts";
import type { JsonObject } from "../kernel/json.ts";

/** Claims of an access token (RFC 9068 §2.2) and our private ones. */
export type AccessTokenClaims = {
  iss: string;
  sub: string;
  aud: string;
  client_id: string;
  iat: number;
  exp: number;
  jti: string;
  scope?: string;
  cnf?: { jkt: string };
  authorization_details?: JsonObject[];
  env: string;
  auth_time?: number;
  acr?: string;
  grant_id?: string;
  client_epoch: number;
  grant_epoch?: number;
};

/**
 * Signature, `typ`, issuer, environment and `exp` of one of our own access tokens (RFC 9068 §4); null for anything else.
 * A signature is checked once: a process remembers it by the token's SHA-256 until `exp`, as long as its key stands.
 */
export const verifyAccessTokenJwt = async (deps: Deps, token: string): Promise<AccessTokenClaims | null> => {
  const verified = await verifySignature(deps, token);
  if (!verified || !deps.keys.findVerificationKey(verified.kid, "access_token")) return null;
  const { claims } = verified;
  const isCurrent = claims.iss === deps.config.baseUrl && claims.exp * 1000 > deps.clock.now().getTime();
  return isCurrent && claims.env === deps.config.environment ? claims : null;
};

type Verified = { kid: string; claims: AccessTokenClaims };

/** Per key ring, bounded; the oldest leaves first. */
const remembered = new WeakMap<Deps["keys"], Map<string, Verified>>();
const maxRemembered = 10_000;

const verifySignature = async ({ keys }: Deps, token: string): Promise<Verified | null> => {
  const known = remembered.get(keys) ?? new Map<string, Verified>();
  remembered.set(keys, known);
  const digest = sha256Base64url(token);
  const before = known.get(digest);
  if (before) return before;
  try {
    const header = decodeProtectedHeader(token);
    const key = header.kid === undefined ? null : keys.findVerificationKey(header.kid, "access_token");
    if (!key || header.typ !== "at+jwt" || header.alg !== key.alg) return null;
    const { payload } = await compactVerify(token, key.publicKey, { algorithms: [key.alg] });
    // Signed by us, so of our own shape.
    const verified = { kid: key.kid, claims: JSON.parse(new TextDecoder().decode(payload)) as AccessTokenClaims };
    if (known.size >= maxRemembered) known.delete(known.keys().next().value ?? "");
    known.set(digest, verified);
    return verified;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError) return null;
    throw error;
  }
};
