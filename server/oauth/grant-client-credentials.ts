import { appendAuditAlone } from "../data/audit.ts";
import type { Deps } from "../deps.ts";
import { newSecret } from "../kernel/ids.ts";
import type { TokenResponse } from "./issue-grant-tokens.ts";
import { parseScope, resolveScopes, resourceUri, scopeRules } from "./rules/scopes.ts";
import { accessTokenSeconds } from "./rules/tokens.ts";
import { signAccessToken } from "./sign-access-token.ts";
import { optionalText, readProof, type TokenRequest } from "./token-request.ts";

/** RFC 6749 §4.4: a token for the client itself; without `scope`, all that it registered for the one resource. */
export const grantClientCredentials = async (deps: Deps, request: TokenRequest): Promise<TokenResponse> => {
  const { client, form, info } = request;
  const asked = parseScope(optionalText(form, "scope"));
  const scopes =
    asked.length > 0
      ? asked
      : client.scopes.filter((scope) => scopeRules[scope]?.grantTypes.includes("client_credentials"));
  const resolved = resolveScopes({
    scopes,
    registered: client.scopes,
    kind: client.kind,
    grantType: "client_credentials",
    requestedResources: (form["resource"] as readonly string[] | undefined) ?? [],
    baseUrl: deps.config.baseUrl,
  });
  const proof = await readProof(deps, request);
  await proof?.consume();
  const jti = newSecret();
  const recorded = appendAuditAlone(deps.db, {
    at: deps.clock.now(),
    actor: { kind: "client", id: client.id },
    action: "token.issued",
    subjectId: client.id,
    requestId: info.requestId,
    data: { grant_type: "client_credentials", jti },
  });
  const signed = signAccessToken(deps, {
    jti,
    subject: client.id,
    audience: resourceUri(resolved.resource, deps.config.baseUrl),
    clientId: client.id,
    scopes: resolved.scopes,
    lifetimeSeconds: accessTokenSeconds.clientCredentials,
    clientEpoch: client.epoch,
    jkt: proof?.jkt ?? null,
  });
  await recorded;
  return {
    access_token: signed.token,
    token_type: proof ? "DPoP" : "Bearer",
    expires_in: signed.expiresIn,
    scope: resolved.scopes.join(" "),
  };
};
