import { decodeProtectedHeader } from "jose";
import type { AccessTokenClaims, AuthenticatedClient } from "../../contract/callers.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { findReauthorization } from "../../data/oauth/grants.ts";
import { denyToken } from "../../data/oauth/liveness.ts";
import { findRefreshToken } from "../../data/oauth/refresh-tokens.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { checkRules } from "../../kernel/rule.ts";
import { hashDated } from "../../kernel/time/dated.ts";
import { revokeGrant } from "../grants/revoke-grant.ts";
import { revokedTokenRules, revokedTypeRules } from "../rules/tokens/revocation.ts";
import { verifyIssuedTokenJwt } from "./verify-access-token-jwt.ts";

type Input = { client: AuthenticatedClient; token: string; info: RequestInfo };

/**
 * Revokes a token (RFC 7009 §2.1). Succeeds for an unknown, expired or already revoked token (§2.2); refuses another
 * client's token. Revoking a refresh token also ends its grant's access tokens and mandates. Revoking an access token
 * or a mandate token ends only that token.
 * @throws OAuthError invalid_grant, unsupported_token_type.
 */
export const revokeToken = async (deps: Deps, input: Input): Promise<void> => {
  const claims = await verifyIssuedTokenJwt(deps, input.token);
  if (claims) return revokeOne(deps, input, claims);
  const hash = hashDated(input.token);
  const refreshToken = await findRefreshToken(deps.db.sql, hash);
  if (refreshToken) {
    checkRules(revokedTokenRules, { issuedTo: refreshToken.clientId, clientId: input.client.id });
    const { client, info } = input;
    await revokeGrant(deps, {
      grantId: refreshToken.grantId,
      clientId: client.id,
      requestId: info.requestId,
      reason: "refresh token revoked",
      isMoot: (sql) => isSuperseded(sql, hash),
    });
    return;
  }
  checkRules(revokedTypeRules, { isAnotherOfOurs: isAnotherOfOurs(deps, input.token) });
};

/**
 * The token ended when its grant was replaced (Grant Management §5.2). Revoking the token must not end the consent that
 * the payer gave later.
 */
const isSuperseded = async (sql: Sql, secretHash: string): Promise<boolean> => {
  const token = await findRefreshToken(sql, secretHash);
  if (!token?.revokedAt) return false;
  const reauthorizedAt = await findReauthorization(sql, token.grantId);
  return reauthorizedAt !== null && token.createdAt < reauthorizedAt;
};

const revokeOne = async (deps: Deps, { client, info }: Input, claims: AccessTokenClaims): Promise<void> => {
  checkRules(revokedTokenRules, { issuedTo: claims.client_id, clientId: client.id });
  await deps.db.sqlTransaction(async (sql) => {
    if (!(await denyToken(sql, { jti: claims.jti, expiresAt: new Date(claims.exp * 1000) }))) return;
    await appendAudit(sql, {
      at: deps.clock.now(),
      actor: { kind: "client", id: client.id },
      action: "token.revoked",
      subjectId: claims.grant_id ?? claims.client_id,
      requestId: info.requestId,
      data: { jti: claims.jti },
    });
  });
};

/**
 * Whether the token's kid is one of our keys for another purpose: the token is a credential, a receipt or another JWT
 * (RFC 7009 §2.2.1).
 */
const isAnotherOfOurs = ({ keys }: Deps, token: string): boolean => {
  try {
    const { kid } = decodeProtectedHeader(token.split("~", 1)[0] ?? "");
    return otherPurposes.some((purpose) => kid !== undefined && keys.findVerificationKey(kid, purpose) !== null);
  } catch {
    // Not a JWS: unknown.
    return false;
  }
};

const otherPurposes = ["receipt", "credential", "directory"] as const;
