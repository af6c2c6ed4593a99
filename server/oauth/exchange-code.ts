import type { Sql } from "../data/client.ts";
import { type CodeRow, consumeCode, findCode } from "../data/grants.ts";
import { insertRefreshToken } from "../data/refresh-tokens.ts";
import type { Deps } from "../deps.ts";
import { addSeconds, isExpired } from "../kernel/clock.ts";
import { hashDated, newSecretUntil } from "../kernel/dated.ts";
import { OAuthError } from "../kernel/errors.ts";
import { narrowForToken } from "../mandates/narrow-for-token.ts";
import { endReusedGrant } from "./end-reused-grant.ts";
import { getIssuableGrant, issueGrantToken, registeredScopes, type TokenResponse } from "./issue-grant-tokens.ts";
import { verifierMatches } from "./rules/pkce.ts";
import { refreshTokenSeconds } from "./rules/tokens.ts";
import { checkGrantResource, optionalText, readProof, required, type TokenRequest } from "./token-request.ts";

/**
 * RFC 6749 §4.1.3. Client, redirect_uri, verifier and proof are checked first; a failed check consumes nothing.
 * At most one caller per code gets tokens; a complete second request ends the tokens of the first (RFC 6749 §4.1.2), not the mandate.
 * @throws OAuthError invalid_grant, invalid_request, invalid_dpop_proof, use_dpop_nonce.
 */
export const exchangeCode = async (deps: Deps, request: TokenRequest): Promise<TokenResponse> => {
  const { client, form } = request;
  const codeHash = hashDated(required(form, "code"));
  const redirectUri = required(form, "redirect_uri");
  // A missing verifier is one that doesn't match: the same error as for another (RFC 7636 §4.6).
  const verifier = optionalText(form, "code_verifier") ?? "";
  checkGrantResource(deps, form);
  const code = await findCode(deps.db.sql, codeHash);
  if (!code || code.clientId !== client.id) throw new OAuthError("invalid_grant", "the code is unknown");
  if (code.redirectUri !== redirectUri) throw new OAuthError("invalid_grant", "redirect_uri is not the authorized one");
  if (!verifierMatches(verifier, code.codeChallenge))
    throw new OAuthError("invalid_grant", "code_verifier does not match");
  const proof = await readProof(deps, request);
  if (code.dpopJkt !== null && code.dpopJkt !== proof?.jkt) {
    throw new OAuthError("invalid_dpop_proof", "the code is bound to another key");
  }
  if (code.usedAt === null && isExpired(code, deps.clock.now()))
    throw new OAuthError("invalid_grant", "the code has expired");
  await proof?.consume();
  const response = await deps.db.sqlTransaction((sql) =>
    issue(deps, request, { code, codeHash, jkt: proof?.jkt ?? null, sql }),
  );
  if (!response) {
    // Expired since it was read, perhaps with the grant's replacement: nobody has used it.
    if (!(await findCode(deps.db.sql, codeHash))?.usedAt) throw new OAuthError("invalid_grant", "the code has expired");
    await endReusedGrant(deps, request, { grantId: code.grantId, action: "code.reused" });
    throw new OAuthError("invalid_grant", "the code has been used before");
  }
  return response;
};

type Exchange = { code: CodeRow; codeHash: string; jkt: string | null; sql: Sql };

/** Null where another request used the code first. */
const issue = async (deps: Deps, request: TokenRequest, exchange: Exchange): Promise<TokenResponse | null> => {
  const { client, info } = request;
  const { code, sql } = exchange;
  const now = deps.clock.now();
  const grant = await getIssuableGrant(sql, code.grantId, now);
  if (!(await consumeCode(sql, exchange.codeHash, now))) return null;
  const response = await issueGrantToken(deps, {
    ...{ info, client, grant, sql, jkt: exchange.jkt },
    grantId: code.grantId,
    scopes: registeredScopes(client, grant.scopes),
    details: narrowForToken(grant.details, optionalText(request.form, "authorization_details")),
    authTime: code.authTime,
    acr: code.acr,
    grantType: "authorization_code",
  });
  if (!client.grantTypes.includes("refresh_token")) return response;
  const longest = addSeconds(now, refreshTokenSeconds);
  const expiresAt = grant.mandatesUntil && grant.mandatesUntil < longest ? grant.mandatesUntil : longest;
  const secret = newSecretUntil(expiresAt);
  await insertRefreshToken(sql, {
    secretHash: hashDated(secret),
    familyId: code.grantId,
    grantId: code.grantId,
    clientId: client.id,
    scopes: grant.scopes,
    authTime: code.authTime,
    acr: code.acr,
    createdAt: now,
    expiresAt,
  });
  return { ...response, refresh_token: secret };
};
