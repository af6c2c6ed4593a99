import type { AccessTokenClaims, AuthenticatedClient, PendingClient } from "../../contract/callers.ts";
import { findIssuableGrant } from "../../data/oauth/grants.ts";
import { consumeAndFindLiveness } from "../../data/oauth/liveness.ts";
import { findRefreshToken } from "../../data/oauth/refresh-tokens.ts";
import { consumeAssertion } from "../../data/oauth/replay.ts";
import type { Deps } from "../../deps/deps.ts";
import { rememberBy } from "../../kernel/remember-by.ts";
import { epochSeconds, isExpired } from "../../kernel/time/clock.ts";
import { hashDated } from "../../kernel/time/dated.ts";
import { registeredScopes } from "../grants/issue-grant-tokens.ts";
import { pairwiseSubject } from "./sign-access-token.ts";
import { isLive, tokenKeyOf } from "./verify-access-token.ts";
import { verifyIssuedTokenJwt } from "./verify-access-token-jwt.ts";

export type Introspection = { active: false } | ({ active: true } & Record<string, unknown>);

/** Same answer for unknown, other clients', expired and revoked tokens: RFC 7662 §2.2 forbids hints. */
const inactive: Introspection = { active: false };

/** RFC 7662 §2.2: shows only tokens that were issued to the caller, or whose audience the caller is. */
export const introspectToken = async (
  deps: Deps,
  { pending, token }: { pending: PendingClient; token: string },
): Promise<{ client: AuthenticatedClient; introspection: Introspection }> => {
  const { sql } = deps.db;
  const claims = await verifyIssuedTokenJwt(deps, token);
  if (!claims) {
    const { client } = await pending.settle((assertion) => consumeAssertion(sql, assertion));
    return { client, introspection: await introspectRefreshToken(deps, { client, token }) };
  }
  const at = await deps.businessClock.now();
  const { client, consumed } = await pending.settle((assertion) =>
    consumeAndFindLiveness(sql, { ...assertion, token: tokenKeyOf(claims, at) }),
  );
  const isShown = claims.client_id === client.id || isAudience(client, claims);
  return { client, introspection: isShown && isLive(claims, consumed.liveness) ? show(claims) : inactive };
};

/** Tokens are cached with their verification, because merchants introspect the same ones repeatedly. */
const show = rememberBy((claims: AccessTokenClaims): Introspection => {
  const { client_epoch: _client, grant_epoch: _grant, request_jwk: _request, ...published } = claims;
  return { active: true, ...published, token_type: claims.cnf ? "DPoP" : "Bearer" };
});

/** The audience of a mandate token is a merchant; each of its clients may introspect it. */
const isAudience = (client: AuthenticatedClient, { aud }: AccessTokenClaims): boolean =>
  aud === client.id || (client.merchantId !== null && aud === client.merchantId);

const introspectRefreshToken = async (
  deps: Deps,
  { client, token }: { client: AuthenticatedClient; token: string },
): Promise<Introspection> => {
  if (!client.grantTypes.includes("refresh_token")) return inactive;
  const row = await findRefreshToken(deps.db.sql, hashDated(token));
  if (!row || row.clientId !== client.id || row.revokedAt || row.rotatedAt || isExpired(row, deps.clock.now()))
    return inactive;
  const now = await deps.businessClock.now();
  const grant = await findIssuableGrant(deps.db.sql, row.grantId, now);
  if (!grant || grant.endedAt || grant.mandatesUntil === null || grant.mandatesUntil <= now) return inactive;
  const scopes = registeredScopes(client, row.scopes);
  return {
    active: true,
    iss: deps.config.baseUrl,
    client_id: client.id,
    sub: pairwiseSubject(deps, grant.payerId, client.id),
    ...(scopes.length > 0 ? { scope: scopes.join(" ") } : {}),
    exp: Math.min(epochSeconds(grant.mandatesUntil), epochSeconds(row.expiresAt)),
    grant_id: row.grantId,
    authorization_details: grant.details,
  };
};
