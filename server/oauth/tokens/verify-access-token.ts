import type { AccessTokenCaller, NamedMandate } from "../../contract/callers.ts";
import { findLiveness, type Liveness, type TokenKey } from "../../data/oauth/liveness.ts";
import { findTokenWithDecision } from "../../data/oauth/token-with-decision.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { isOAuthError, type OAuthError } from "../../kernel/errors.ts";
import type { ResourceName } from "../../kernel/resource-name.ts";
import { assertPresent, describeViolation, findBrokenRule, type RuleGroup } from "../../kernel/rule.ts";
import { type BusinessTime, epochSeconds } from "../../kernel/time/clock.ts";
import { isMerchantResource, resourceMetadataUrl, resourceUri } from "../rules/scopes.ts";
import { liveTokenRules, presentedTokenRules, tokenKeyRules, tokenProofRules } from "../rules/tokens/access-token.ts";
import { parseAuthorization, tokenRefusal } from "../rules/tokens/authorization-header.ts";
import { dpopAlgorithms } from "../rules/tokens/dpop.ts";
import { authenticationAgeLimitSeconds } from "../rules/tokens/tokens.ts";
import { signedBy, type VerifiedClaims, verifyAccessTokenJwt } from "./verify-access-token-jwt.ts";
import { dpopNonceHeaders, verifyDpopProof } from "./verify-dpop-proof.ts";

type Input = {
  info: RequestInfo;
  resource: ResourceName;
  scope: string | null;
  /** an alternative to `scope` */
  orScope?: string | undefined;
  /** whether the payer's authentication must not be older than `authenticationAgeLimitSeconds` (RFC 9470) */
  limitsAuthenticationAge: boolean;
  method: string;
  path: string;
  authorization: string | null;
  dpopProof: string | null;
  /** whether the call changes something: its proof can then be used only once */
  changesState: boolean;
  /** the request's mandate, so that one statement finds it together with the token's liveness */
  mandateId?: string | null;
};

/**
 * Checks the caller of a resource (RFC 6750, RFC 9068 §4, RFC 9449 §7). One statement checks that the token is live. If
 * the token's client, grant or mandate isn't found, the token isn't live. If the database is unavailable, the call
 * fails.
 * @throws OAuthError invalid_token (401), insufficient_scope (403), insufficient_user_authentication (401),
 * invalid_dpop_proof, use_dpop_nonce (401).
 */
export const verifyAccessToken = async (deps: Deps, input: Input): Promise<AccessTokenCaller> => {
  const refuse = refusalsOf(deps, input);
  const presented = parseAuthorization(input.authorization);
  const known = presented && (await verifyAccessTokenJwt(deps, presented.token));
  const audience = resourceUri(input.resource, deps.config);
  checkAtResource(refuse, presentedTokenRules, { scheme: presented?.scheme ?? null, claims: known, audience });
  const claims = assertPresent(known);
  const boundTo = claims.cnf?.jkt;
  if (boundTo !== undefined)
    await checkBinding(deps, { ...input, token: assertPresent(presented).token, boundTo }, refuse);
  const { liveness, named } = await findWithMandate(deps, claims, input.mandateId ?? null);
  const scopes = claims.scope?.split(" ") ?? [];
  checkAtResource(refuse, liveTokenRules, {
    isLive: liveness !== null,
    scopes,
    scope: input.orScope !== undefined && scopes.includes(input.orScope) ? input.orScope : input.scope,
    isMerchantOnly: isMerchantResource(input.resource),
    isOfMerchant: liveness !== null && liveness.merchantId !== null,
    authTime: claims.auth_time ?? null,
    maxAuthenticationAgeSeconds: input.limitsAuthenticationAge ? authenticationAgeLimitSeconds : null,
    now: epochSeconds(deps.clock.now()),
  });
  return {
    clientId: claims.client_id,
    tokenId: claims.jti,
    scopes,
    merchantId: liveness?.merchantId ?? null,
    jkt: claims.cnf?.jkt ?? null,
    claims,
    named,
  };
};

/** `findTokenLiveness`, with the decision data of the mandate if the request names one. */
const findWithMandate = async (
  deps: Deps,
  claims: VerifiedClaims,
  mandateId: string | null,
): Promise<{ liveness: Liveness | null; named: NamedMandate | null }> => {
  if (mandateId === null) return { liveness: await findTokenLiveness(deps, claims), named: null };
  const at = await deps.businessClock.now();
  const { liveness, decision } = await findTokenWithDecision(deps.db.sql, { token: tokenKeyOf(claims, at), mandateId });
  return isLive(claims, liveness) ? { liveness, named: { mandateId, at, decision } } : { liveness: null, named: null };
};

type TokenErrorCode = Parameters<typeof tokenRefusal>[0];
type Refuse = (code: TokenErrorCode, description: string, headers?: Record<string, string>) => OAuthError;

const refusalsOf =
  ({ config }: Deps, { resource, scope, authorization }: Input): Refuse =>
  (code, description, headers) =>
    tokenRefusal(code, description, {
      resourceMetadata: resourceMetadataUrl(resource, config),
      dpopAlgorithms,
      isUnauthenticated: authorization === null,
      ...(scope === null ? {} : { scope }),
      ...(code === "insufficient_user_authentication" ? { maxAgeSeconds: authenticationAgeLimitSeconds } : {}),
      ...(headers ? { headers } : {}),
    });

/** A live token without the required scope: 403 with a challenge (RFC 6750 §3.1). */
export const insufficientTokenRefusal = (
  { config }: Pick<Deps, "config">,
  resource: ResourceName,
  description: string,
): OAuthError =>
  tokenRefusal("insufficient_scope", description, {
    resourceMetadata: resourceMetadataUrl(resource, config),
    dpopAlgorithms,
  });

/** Like `checkRules`, but the error has the resource's challenge. */
const checkAtResource = <Subject>(refuse: Refuse, group: RuleGroup<Subject>, subject: Subject): void => {
  const broken = findBrokenRule(group, subject);
  if (broken) throw refuse(broken.error as TokenErrorCode, describeViolation(broken, subject));
};

/** RFC 9449 §7.1: a bound token needs a proof by its key. */
const checkBinding = async (
  deps: Deps,
  input: Input & { token: string; boundTo: string },
  refuse: Refuse,
): Promise<void> => {
  const { dpopProof, method, path, token, boundTo } = input;
  checkAtResource(refuse, tokenProofRules, { hasProof: dpopProof !== null });
  try {
    const proof = await verifyDpopProof(deps, { proof: dpopProof ?? "", method, path, accessToken: token });
    checkAtResource(refuse, tokenKeyRules, { boundTo, jkt: proof.jkt });
    if (input.changesState) await proof.consume();
  } catch (error) {
    if (isOAuthError(error) && (error.code === "invalid_dpop_proof" || error.code === "use_dpop_nonce")) {
      throw refuse(error.code, error.description, dpopNonceHeaders(deps));
    }
    throw error;
  }
};

/** Null if the token isn't live. */
export const findTokenLiveness = async (deps: Deps, claims: VerifiedClaims): Promise<Liveness | null> => {
  const liveness = await findLiveness(deps.db.sql, tokenKeyOf(claims, await deps.businessClock.now()));
  return isLive(claims, liveness) ? liveness : null;
};

export const tokenKeyOf = (claims: VerifiedClaims, at: BusinessTime): TokenKey => ({
  clientId: claims.client_id,
  grantId: claims.grant_id ?? null,
  jti: claims.jti,
  mandateIds: mandateIdsOf(claims),
  kid: claims[signedBy],
  jkt: claims.cnf?.jkt ?? null,
  at,
});

const mandateIdsOf = ({ authorization_details }: VerifiedClaims): string[] =>
  (authorization_details ?? []).map(({ identifier }) => identifier);

/** Live: both epochs are equal, the jti isn't denied, its key isn't revoked, and all its mandates are active. */
export const isLive = (claims: VerifiedClaims, liveness: Liveness | null): boolean =>
  liveness !== null &&
  !liveness.isDenied &&
  liveness.isKeyActive &&
  liveness.clientEpoch === claims.client_epoch &&
  (claims.grant_id === undefined || liveness.grantEpoch === claims.grant_epoch) &&
  liveness.activeMandates === mandateIdsOf(claims).length;
