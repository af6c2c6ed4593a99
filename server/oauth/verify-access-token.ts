import { findLiveness, type Liveness, type TokenKey } from "../data/liveness.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { isOAuthError, type OAuthError } from "../kernel/errors.ts";
import { parseAuthorization, refuseToken } from "./rules/authorization-header.ts";
import { dpopAlgorithms } from "./rules/dpop.ts";
import { type ResourceName, resourceUri } from "./rules/scopes.ts";
import {
  type AccessTokenClaims,
  signedBy,
  type VerifiedClaims,
  verifyAccessTokenJwt,
} from "./verify-access-token-jwt.ts";
import { dpopNonceHeaders, verifyDpopProof } from "./verify-dpop-proof.ts";

export type { ResourceName } from "./rules/scopes.ts";

export type AccessTokenCaller = {
  clientId: string;
  tokenId: string;
  scopes: readonly string[];
  /** the merchant whose client it is; null for an agent */
  merchantId: string | null;
  jkt: string | null;
  claims: AccessTokenClaims;
};

type Input = {
  info: RequestInfo;
  resource: ResourceName;
  scope: string | null;
  method: string;
  path: string;
  authorization: string | null;
  dpopProof: string | null;
  /** a proof is single use at every call that changes something */
  changesState: boolean;
};

/**
 * A resource's check of its caller: RFC 6750, RFC 9068 §4, RFC 9449 §7, and liveness by one statement.
 * What is unknown or unreachable is not live.
 * @throws OAuthError invalid_token (401), insufficient_scope (403), invalid_dpop_proof, use_dpop_nonce (401).
 */
export const verifyAccessToken = async (deps: Deps, input: Input): Promise<AccessTokenCaller> => {
  const refuse = refusalsOf(deps, input);
  const presented = parseAuthorization(input.authorization);
  if (!presented) throw refuse("invalid_token", "an access token is required");
  const claims = await verifyAccessTokenJwt(deps, presented.token);
  if (!claims || claims.aud !== resourceUri(input.resource, deps.config.baseUrl)) {
    throw refuse("invalid_token", "the access token is not valid here");
  }
  await checkBinding(deps, input, presented, claims, refuse);
  const liveness = await findTokenLiveness(deps, claims);
  if (!liveness) throw refuse("invalid_token", "the access token is not valid here");
  const scopes = claims.scope?.split(" ") ?? [];
  if (input.scope !== null && !scopes.includes(input.scope)) {
    throw refuse("insufficient_scope", "the access token lacks a scope");
  }
  if (input.resource === "merchant_test" && (liveness.merchantId === null || liveness.merchantSuspended)) {
    throw refuse("invalid_token", "the access token is not a merchant's");
  }
  return {
    clientId: claims.client_id,
    tokenId: claims.jti,
    scopes,
    merchantId: liveness.merchantId,
    jkt: claims.cnf?.jkt ?? null,
    claims,
  };
};

type Refuse = (
  code: Parameters<typeof refuseToken>[0],
  description: string,
  headers?: Record<string, string>,
) => OAuthError;

const refusalsOf =
  ({ config }: Deps, { resource, scope, authorization }: Input): Refuse =>
  (code, description, headers) =>
    refuseToken(code, description, {
      resourceMetadata: `${config.baseUrl}/.well-known/oauth-protected-resource${resource === "merchant_test" ? "/merchant_test" : ""}`,
      dpopAlgorithms,
      isUnauthenticated: authorization === null,
      ...(scope === null ? {} : { scope }),
      ...(headers ? { headers } : {}),
    });

/** RFC 9449 §7.1, §7.2: a bound token comes with a proof under the DPoP scheme, an unbound one as Bearer. */
const checkBinding = async (
  deps: Deps,
  input: Input,
  presented: { scheme: "bearer" | "dpop"; token: string },
  claims: AccessTokenClaims,
  refuse: Refuse,
): Promise<void> => {
  const jkt = claims.cnf?.jkt;
  if ((presented.scheme === "dpop") !== (jkt !== undefined)) {
    throw refuse("invalid_token", jkt ? "a bound token needs the DPoP scheme" : "the token is not bound to a key");
  }
  if (jkt === undefined) return;
  if (input.dpopProof === null) throw refuse("invalid_dpop_proof", "a DPoP proof is required");
  try {
    const proof = await verifyDpopProof(deps, {
      proof: input.dpopProof,
      method: input.method,
      path: input.path,
      accessToken: presented.token,
    });
    if (proof.jkt !== jkt) throw refuse("invalid_token", "the proof is by another key");
    if (input.changesState) await proof.consume();
  } catch (error) {
    if (isOAuthError(error) && (error.code === "invalid_dpop_proof" || error.code === "use_dpop_nonce")) {
      throw refuse(error.code, error.description, dpopNonceHeaders(deps));
    }
    throw error;
  }
};

/** Null unless the token is live. */
export const findTokenLiveness = async (deps: Deps, claims: VerifiedClaims): Promise<Liveness | null> => {
  const liveness = await findLiveness(deps.db.sql, tokenKeyOf(claims));
  return isLive(claims, liveness) ? liveness : null;
};

export const tokenKeyOf = (claims: VerifiedClaims): TokenKey => ({
  clientId: claims.client_id,
  grantId: claims.grant_id ?? null,
  jti: claims.jti,
  mandateIds: mandateIdsOf(claims),
  kid: claims[signedBy],
});

const mandateIdsOf = ({ authorization_details }: VerifiedClaims): string[] =>
  (authorization_details ?? []).map((details) => String(details["identifier"]));

/** Only where both epochs are equal, the jti isn't denied, its key stands and each mandate that it names is active. */
export const isLive = (claims: VerifiedClaims, liveness: Liveness | null): boolean =>
  liveness !== null &&
  !liveness.isDenied &&
  liveness.keyStands &&
  liveness.clientEpoch === claims.client_epoch &&
  (claims.grant_id === undefined || liveness.grantEpoch === claims.grant_epoch) &&
  liveness.activeMandates === mandateIdsOf(claims).length;
