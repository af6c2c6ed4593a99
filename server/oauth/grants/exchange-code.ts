import type { Sql } from "../../data/client.ts";
import { type CodeRow, consumeCode, findCode } from "../../data/oauth/grants.ts";
import { insertRefreshToken } from "../../data/oauth/refresh-tokens.ts";
import type { Deps } from "../../deps/deps.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import { addSeconds, isExpired } from "../../kernel/time/clock.ts";
import { hashDated, newSecretUntil } from "../../kernel/time/dated.ts";
import { narrowForToken } from "../../mandates/details/narrow-for-token.ts";
import { codeAgeRules, codeRequestRules, codeRules, codeUseRules } from "../rules/tokens/code.ts";
import { codeKeyRules } from "../rules/tokens/dpop.ts";
import { refreshTokenSeconds } from "../rules/tokens/tokens.ts";
import { endReusedGrant } from "./end-reused-grant.ts";
import { getIssuableGrant, issueGrantToken, registeredScopes, type TokenResponse } from "./issue-grant-tokens.ts";
import { checkGrantResource, optionalText, type TokenRequest } from "./token-request.ts";

/**
 * Exchanges a code for tokens (RFC 6749 §4.1.3). Client, redirect_uri, verifier and proof are checked first, and a
 * failed check consumes nothing. At most one request per code gets tokens. A second request that passes the checks ends
 * the tokens of the first, but not the mandate (§4.1.2).
 * @throws OAuthError invalid_grant, invalid_request, invalid_target, invalid_authorization_details,
 *   invalid_dpop_proof, use_dpop_nonce.
 */
export const exchangeCode = async (deps: Deps, request: TokenRequest): Promise<TokenResponse> => {
  const { client, form } = request;
  checkRules(codeRequestRules, form);
  checkGrantResource(deps, form);
  const codeHash = hashDated(optionalText(form, "code") ?? "");
  const found = await findCode(deps.db.sql, codeHash);
  checkRules(codeRules, {
    code: found,
    clientId: client.id,
    redirectUri: optionalText(form, "redirect_uri") ?? "",
    verifier: optionalText(form, "code_verifier") ?? "",
  });
  const code = assertPresent(found);
  const proof = await request.readProof(client);
  checkRules(codeKeyRules, { boundTo: code.dpopJkt, jkt: proof?.jkt ?? null });
  checkRules(codeAgeRules, { isExpired: code.usedAt === null && isExpired(code, deps.clock.now()) });
  await proof?.consume();
  const response = await deps.db.inTurn(code.grantId, (sql) =>
    issue(deps, request, { code, codeHash, jkt: proof?.jkt ?? null, sql }),
  );
  if (!response) {
    const now = await findCode(deps.db.sql, codeHash);
    // A code that is still unused became invalid after `findCode`: it expired, or the grant was replaced.
    checkRules(codeAgeRules, { isExpired: !now?.usedAt });
    const since = assertPresent(now?.usedAt ?? null);
    await endReusedGrant(deps, request, { grantId: code.grantId, action: "code.reused", since });
  }
  checkRules(codeUseRules, { isFirst: response !== null });
  return assertPresent(response);
};

type Exchange = { code: CodeRow; codeHash: string; jkt: string | null; sql: Sql };

/** @returns null if another request used the code first, or if the code expired meanwhile. */
const issue = async (deps: Deps, request: TokenRequest, exchange: Exchange): Promise<TokenResponse | null> => {
  const { client, info } = request;
  const { code, sql } = exchange;
  const grant = await getIssuableGrant(sql, { client, grantId: code.grantId, now: await deps.businessClock.now() });
  // Read after the grant was locked, because the wait for the lock may have taken time.
  const now = deps.clock.now();
  if (!(await consumeCode(sql, exchange.codeHash, now))) return null;
  const response = await issueGrantToken(deps, {
    info,
    client,
    grant,
    sql,
    jkt: exchange.jkt,
    form: request.form,
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
