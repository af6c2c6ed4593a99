import { appendAudit } from "../data/audit.ts";
import { endGrantTokens } from "../data/grants.ts";
import { denyToken } from "../data/liveness.ts";
import { findRefreshToken } from "../data/refresh-tokens.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { OAuthError } from "../kernel/errors.ts";
import { sha256Base64url } from "../kernel/hash.ts";
import { revokeGrantMandates } from "../mandates/revoke-mandate.ts";
import type { AuthenticatedClient } from "./authenticate-client.ts";
import { verifyAccessTokenJwt } from "./verify-access-token-jwt.ts";

type Input = { client: AuthenticatedClient; token: string; info: RequestInfo };

/**
 * RFC 7009 §2.1. An unknown, expired or already revoked token is a success (§2.2); another client's is refused.
 * A refresh token takes its grant's access tokens and mandates with it; an access token ends alone.
 */
export const revokeToken = async (deps: Deps, input: Input): Promise<void> => {
  const refreshToken = await findRefreshToken(deps.db.sql, sha256Base64url(input.token));
  if (refreshToken) {
    if (refreshToken.clientId !== input.client.id) throw foreign();
    return revokeGrant(deps, input, refreshToken.grantId);
  }
  const claims = await verifyAccessTokenJwt(deps, input.token);
  if (!claims) return;
  if (claims.client_id !== input.client.id) throw foreign();
  await deps.db.sqlTransaction(async (sql) => {
    await denyToken(sql, { jti: claims.jti, expiresAt: new Date(claims.exp * 1000) });
    await appendAudit(sql, {
      at: deps.clock.now(),
      actor: { kind: "client", id: input.client.id },
      action: "token.revoked",
      subjectId: claims.grant_id ?? claims.client_id,
      requestId: input.info.requestId,
      data: { jti: claims.jti },
    });
  });
};

const foreign = () => new OAuthError("invalid_grant", "the token was issued to another client");

const revokeGrant = (deps: Deps, { client, info }: Input, grantId: string): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const actor = { kind: "client", id: client.id } as const;
    await revokeGrantMandates(deps, { grantId, actor, requestId: info.requestId, reason: "refresh token revoked", tx });
    await endGrantTokens(tx.sql, grantId, now);
    await appendAudit(tx.sql, {
      at: now,
      actor,
      action: "grant.revoked",
      subjectId: grantId,
      requestId: info.requestId,
    });
  });
