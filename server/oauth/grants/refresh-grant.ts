import type { Sql } from "../../data/client.ts";
import {
  findRefreshToken,
  insertRefreshToken,
  type RefreshTokenRow,
  rotateRefreshToken,
} from "../../data/oauth/refresh-tokens.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import { isExpired } from "../../kernel/time/clock.ts";
import { hashDated, instantOf, newSecretUntil } from "../../kernel/time/dated.ts";
import { narrowForToken } from "../../mandates/details/narrow-for-token.ts";
import { parseScope } from "../rules/scopes.ts";
import {
  refreshAgeRules,
  refreshRequestRules,
  refreshScopeRules,
  refreshTokenRules,
  refreshUseRules,
} from "../rules/tokens/refresh.ts";
import { refreshRetrySeconds } from "../rules/tokens/tokens.ts";
import { endReusedGrant } from "./end-reused-grant.ts";
import { getIssuableGrant, issueGrantToken, registeredScopes, type TokenResponse } from "./issue-grant-tokens.ts";
import { checkGrantResource, optionalText, type TokenRequest } from "./token-request.ts";

/**
 * Uses a refresh token (RFC 6749 §6). A FAPI client's token isn't rotated (FAPI 2.0 §5.3.2.1). Any other client's token
 * is rotated, with reuse detection. An identical retry within 30 s gets the same successor.
 * @throws OAuthError invalid_grant, invalid_request, invalid_scope, invalid_target, invalid_authorization_details,
 *   invalid_dpop_proof, use_dpop_nonce.
 */
export const refreshGrant = async (deps: Deps, request: TokenRequest): Promise<TokenResponse> => {
  const { client, form } = request;
  checkRules(refreshRequestRules, form);
  const secret = optionalText(form, "refresh_token") ?? "";
  checkGrantResource(deps, form);
  const found = await findRefreshToken(deps.db.sql, hashDated(secret));
  checkRules(refreshTokenRules, { token: found, clientId: client.id });
  const token = assertPresent(found);
  checkLive(deps, token);
  const scopes = narrowedScopes(registeredScopes(client, token.scopes), optionalText(form, "scope"));
  const proof = await request.readProof(client);
  await proof?.consume();
  const outcome = await deps.db.inTurn(token.grantId, async (sql) => {
    const grant = await getIssuableGrant(sql, { client, grantId: token.grantId, now: await deps.businessClock.now() });
    const details = narrowForToken(grant.details, optionalText(form, "authorization_details"));
    const successor = await useRefreshToken(deps, { sql, request, token, secret });
    if (successor === "reused") return null;
    const response = await issueGrantToken(deps, {
      info: request.info,
      client,
      grant,
      sql,
      scopes,
      details,
      form,
      jkt: proof?.jkt ?? null,
      grantId: token.grantId,
      authTime: token.authTime,
      acr: token.acr,
      grantType: "refresh_token",
    });
    return successor === null ? response : { ...response, refresh_token: successor };
  });
  if (!outcome)
    await endReusedGrant(deps, request, {
      grantId: token.grantId,
      action: "refresh_token.reused",
      since: token.createdAt,
    });
  checkRules(refreshUseRules, { isReused: outcome === null });
  return assertPresent(outcome);
};

const checkLive = ({ clock }: Deps, token: RefreshTokenRow | null): void =>
  checkRules(refreshAgeRules, { hasEnded: !token || token.revokedAt !== null || isExpired(token, clock.now()) });

type Use = { sql: Sql; request: TokenRequest; token: RefreshTokenRow; secret: string };

/**
 * A FAPI client's token isn't rotated. It is read again under the grant's lock, to detect a token that ended before
 * the lock was taken. If the token ends later, the new access token ends too. A token that was rotated before its
 * client became a FAPI client counts as used.
 */
const useRefreshToken = async (deps: Deps, use: Use): Promise<string | null | "reused"> => {
  if (!use.request.client.dpopBound || use.token.rotatedAt) return rotate(deps, use);
  checkLive(deps, await findRefreshToken(use.sql, hashDated(use.secret)));
  return null;
};

const narrowedScopes = (granted: readonly string[], requested: string | undefined): readonly string[] => {
  const scopes = parseScope(requested);
  checkRules(refreshScopeRules, { granted, requested: scopes });
  return scopes.length > 0 ? scopes : granted;
};

/** @returns the successor, which is the same for an identical retry; "reused" for any other second use. */
const rotate = async (deps: Deps, { sql, request, token, secret }: Use): Promise<string | "reused"> => {
  const now = deps.clock.now();
  const secretHash = hashDated(secret);
  // The successor is in the same partition as its predecessor.
  const successor = newSecretUntil(instantOf(secret) ?? token.expiresAt);
  const successorHash = hashDated(successor);
  const requestHash = hashOfRequest(request);
  const successorSealed = deps.sealer.seal(successor, `refresh_token:${secretHash}`);
  if (await rotateRefreshToken(sql, { secretHash, now, successorSealed, successorHash, requestHash })) {
    const { familyId, grantId, clientId, scopes, authTime, acr, expiresAt } = token;
    await insertRefreshToken(sql, {
      familyId,
      grantId,
      clientId,
      scopes,
      authTime,
      acr,
      expiresAt,
      secretHash: successorHash,
      createdAt: now,
    });
    return successor;
  }
  const rotated = await findRefreshToken(sql, secretHash);
  // The token ended after it was read.
  if (!rotated?.rotatedAt || rotated.revokedAt) checkLive(deps, rotated);
  return (await retrySuccessor(deps, sql, { rotated, secretHash, requestHash })) ?? "reused";
};

const retrySuccessor = async (
  { sealer, clock }: Deps,
  sql: Sql,
  { rotated, secretHash, requestHash }: { rotated: RefreshTokenRow | null; secretHash: string; requestHash: string },
): Promise<string | null> => {
  if (!rotated?.rotatedAt || !rotated.successorSealed || !rotated.successorHash) return null;
  const age = (clock.now().getTime() - rotated.rotatedAt.getTime()) / 1000;
  if (age > refreshRetrySeconds || rotated.requestHash !== requestHash) return null;
  const successor = await findRefreshToken(sql, rotated.successorHash);
  if (!successor || successor.rotatedAt || successor.revokedAt) return null;
  return sealer.open(rotated.successorSealed, `refresh_token:${secretHash}`);
};

const hashOfRequest = ({ client, form }: TokenRequest): string =>
  sha256Base64url(
    JSON.stringify([client.id, form["scope"] ?? "", form["resource"] ?? [], form["authorization_details"] ?? ""]),
  );
