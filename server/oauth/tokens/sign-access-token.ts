import type { AccessTokenClaims } from "../../contract/callers.ts";
import type { Deps } from "../../deps/deps.ts";
import type { AuthorizationDetails } from "../../kernel/authorization-details.ts";
import { labelledMac } from "../../kernel/crypto/hash.ts";
import { signJws } from "../../kernel/crypto/jws.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { jwtTypes, type MandateTokenClaims } from "./verify-access-token-jwt.ts";

export type AccessTokenInput = {
  jti: string;
  subject: string;
  audience: string;
  clientId: string;
  scopes: readonly string[];
  lifetimeSeconds: number;
  clientEpoch: number;
  jkt: string | null;
  /** the client's public key that verified the request's assertion, if the token isn't bound to a key */
  requestJwk?: JsonObject | null;
  /** the payer's grant; absent for client_credentials */
  grant?: { id: string; epoch: number; details: readonly AuthorizationDetails[]; authTime: Date; acr: string };
};

export type SignedToken = { token: string; expiresIn: number };

/** RFC 9068: `at+jwt`, ES256, with `cnf.jkt` if it is bound to a key (RFC 9449 §6.1). */
export const signAccessToken = ({ config, clock, keys }: Deps, input: AccessTokenInput): SignedToken => {
  const issuedAt = epochSeconds(clock.now());
  const claims: AccessTokenClaims = {
    iss: config.baseUrl,
    sub: input.subject,
    aud: input.audience,
    client_id: input.clientId,
    iat: issuedAt,
    exp: issuedAt + input.lifetimeSeconds,
    jti: input.jti,
    ...(input.scopes.length > 0 ? { scope: input.scopes.join(" ") } : {}),
    ...(input.jkt === null ? {} : { cnf: { jkt: input.jkt } }),
    ...(input.requestJwk ? { request_jwk: input.requestJwk } : {}),
    ...(input.grant ? grantClaims(input.grant) : {}),
    env: config.environment,
    client_epoch: input.clientEpoch,
  };
  return { token: sign(keys, jwtTypes.access, claims), expiresIn: input.lifetimeSeconds };
};

/** A token for a merchant. Its own `typ` keeps our resources from accepting it as an access token. */
export const signMandateToken = ({ keys }: Deps, claims: MandateTokenClaims): SignedToken => ({
  token: sign(keys, jwtTypes.mandate, claims),
  expiresIn: claims.exp - claims.iat,
});

const sign = (keys: Deps["keys"], typ: string, claims: AccessTokenClaims): string => {
  const key = keys.signingKey("access_token");
  return signJws({ alg: key.alg, typ, kid: key.kid }, claims, key.privateKey);
};

const grantClaims = (grant: NonNullable<AccessTokenInput["grant"]>) => ({
  authorization_details: [...grant.details],
  auth_time: epochSeconds(grant.authTime),
  acr: grant.acr,
  grant_id: grant.id,
  grant_epoch: grant.epoch,
});

/**
 * The payer's id for one client: pairwise, so that two clients can't correlate payers (docs/spec/oauth.md, Clients, scopes
 * and resources).
 */
export const pairwiseSubject = ({ config }: Deps, payerId: string, clientId: string): string =>
  labelledMac(config.masterKey, "pairwise_subject", `${clientId}|${payerId}`);
