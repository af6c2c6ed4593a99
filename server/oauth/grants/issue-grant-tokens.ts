import type { AuthenticatedClient } from "../../contract/callers.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { holdIssuableGrant, type IssuableGrant } from "../../data/oauth/grants.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import type { AuthorizationDetails } from "../../kernel/authorization-details.ts";
import { newSecret } from "../../kernel/ids.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { firstEndOf } from "../../mandates/details/narrow-for-token.ts";
import { requestKeyOf } from "../requests/request-key.ts";
import { grantRules } from "../rules/tokens/code.ts";
import { mandateTokenSeconds } from "../rules/tokens/tokens.ts";
import { pairwiseSubject, signAccessToken } from "../tokens/sign-access-token.ts";
import type { TokenRequest } from "./token-request.ts";

/** RFC 6749 §5.1, with authorization_details as granted (RFC 9396 §7) and grant_id (Grant Management). */
export type TokenResponse = {
  access_token: string;
  token_type: "DPoP" | "Bearer";
  expires_in: number;
  /** RFC 8693 §2.2.1 */
  issued_token_type?: string;
  refresh_token?: string;
  scope?: string;
  authorization_details?: readonly AuthorizationDetails[];
  grant_id?: string;
};

/** The granted scopes that the client's registration still contains (RFC 7592 §2.2). */
export const registeredScopes = (client: AuthenticatedClient, granted: readonly string[]): string[] =>
  granted.filter((scope) => client.scopes.includes(scope));

type Issue = { client: AuthenticatedClient; grantId: string; now: BusinessTime };

/**
 * Locks a grant until the transaction ends. A transaction that ends the grant waits, and then ends the new tokens too.
 * @throws OAuthError invalid_grant if the grant or its last mandate has ended; invalid_request if the client's
 *   registration changed after the client authenticated.
 */
export const getIssuableGrant = async (sql: Sql, { client, grantId, now }: Issue): Promise<IssuableGrant> => {
  const grant = await holdIssuableGrant(sql, grantId, now);
  const hasEnded = !grant || grant.endedAt !== null || grant.mandatesUntil === null || grant.mandatesUntil <= now;
  checkRules(grantRules, { hasEnded, isClientEpoch: grant?.clientEpoch === client.epoch });
  return assertPresent(grant);
};

/** An access token for the mandates in `details`, with the epochs of `grant`. */
export const issueGrantToken = async (
  deps: Deps,
  input: {
    info: RequestInfo;
    client: AuthenticatedClient;
    grantId: string;
    grant: IssuableGrant;
    scopes: readonly string[];
    details: readonly AuthorizationDetails[];
    jkt: string | null;
    form: TokenRequest["form"];
    authTime: Date;
    acr: string;
    grantType: "authorization_code" | "refresh_token";
    sql: Sql;
  },
): Promise<TokenResponse> => {
  const { client, grant, details } = input;
  const jti = newSecret();
  const signed = signAccessToken(deps, {
    jti,
    subject: pairwiseSubject(deps, grant.payerId, client.id),
    audience: deps.config.baseUrl,
    clientId: client.id,
    scopes: input.scopes,
    lifetimeSeconds: mandateTokenSeconds(await deps.businessClock.now(), firstEndOf(details)),
    clientEpoch: grant.clientEpoch,
    jkt: input.jkt,
    requestJwk: input.jkt === null ? requestKeyOf(input) : null,
    grant: { id: input.grantId, epoch: grant.grantEpoch, details, authTime: input.authTime, acr: input.acr },
  });
  await appendAudit(input.sql, {
    at: deps.clock.now(),
    actor: { kind: "client", id: client.id },
    action: "token.issued",
    subjectId: input.grantId,
    requestId: input.info.requestId,
    data: { grant_type: input.grantType, jti },
  });
  return {
    access_token: signed.token,
    token_type: input.jkt === null ? "Bearer" : "DPoP",
    expires_in: signed.expiresIn,
    // Sent even if it is empty, because an absent scope would mean the requested scope (RFC 6749 §5.1).
    ...(grant.scopes.length > 0 ? { scope: input.scopes.join(" ") } : {}),
    authorization_details: details,
    grant_id: input.grantId,
  };
};
