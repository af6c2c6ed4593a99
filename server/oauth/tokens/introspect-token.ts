import type { AccessTokenClaims, AuthenticatedClient, PendingClient } from "../../contract/callers.ts";
import { insertMeteredCallAlone, type MeteredCall } from "../../data/billing/meters/metering.ts";
import { findIssuableGrant } from "../../data/oauth/grants.ts";
import { consumeAndFindLiveness } from "../../data/oauth/liveness.ts";
import { findRefreshToken } from "../../data/oauth/refresh-tokens.ts";
import { consumeAndMeter, consumeAssertion } from "../../data/oauth/replay.ts";
import type { Deps } from "../../deps/deps.ts";
import { rememberBy } from "../../kernel/remember-by.ts";
import { epochSeconds, isExpired } from "../../kernel/time/clock.ts";
import { hashDated } from "../../kernel/time/dated.ts";
import { registeredScopes } from "../grants/issue-grant-tokens.ts";
import { meteredCallOf } from "./metered-call.ts";
import { pairwiseSubject } from "./sign-access-token.ts";
import { isLive, tokenKeyOf } from "./verify-access-token.ts";
import { verifyIssuedTokenJwt } from "./verify-access-token-jwt.ts";

export type Introspection = { active: false } | ({ active: true } & Record<string, unknown>);

/** Same answer for unknown, other clients', expired and revoked tokens: RFC 7662 §2.2 forbids hints. */
const inactive: Introspection = { active: false };

type Input = {
  pending: PendingClient;
  token: string;
  /** whether the request can be answered; otherwise it isn't billed */
  isAnswerable: boolean;
};

/**
 * RFC 7662 §2.2: shows a token only to the client to which it was issued, and to its audience. A merchant's call is
 * metered by the statement that consumes the assertion.
 */
export const introspectToken = async (
  deps: Deps,
  { pending, token, isAnswerable }: Input,
): Promise<{ client: AuthenticatedClient; introspection: Introspection }> => {
  const { sql } = deps.db;
  const claims = await verifyIssuedTokenJwt(deps, token);
  const metered = isAnswerable ? await meteredCallOf(deps, pending.client) : null;
  if (!claims) {
    const { client, isCurrent } = await pending.settle((assertion) =>
      metered === null ? consumeAssertion(sql, assertion) : consumeAndMeter(sql, { ...assertion, metered }),
    );
    if (!isCurrent) await meterAlone(deps, client, metered);
    return { client, introspection: await introspectRefreshToken(deps, { client, token }) };
  }
  const at = await deps.businessClock.now();
  const { client, consumed, isCurrent } = await pending.settle((assertion) =>
    consumeAndFindLiveness(sql, { ...assertion, token: tokenKeyOf(claims, at), metered }),
  );
  if (!isCurrent) await meterAlone(deps, client, metered);
  const isShown = claims.client_id === client.id || isAudience(client, claims);
  return { client, introspection: isShown && isLive(claims, consumed.liveness) ? show(claims) : inactive };
};

/** Meters a call that the statement for the assertion didn't meter, because the cached client has changed. */
const meterAlone = async (deps: Deps, client: AuthenticatedClient, metered: MeteredCall | null): Promise<void> => {
  if (metered === null) return;
  const call = { ...metered, meter: "introspections", clientId: client.id, subject: null } as const;
  await insertMeteredCallAlone(deps.db.sql, call);
};

/** The response is cached by the claims of a token, because merchants introspect the same tokens repeatedly. */
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
