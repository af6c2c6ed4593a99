import type { Deps } from "../deps.ts";
import { OAuthError } from "../kernel/errors.ts";
import { exchangeCode } from "./exchange-code.ts";
import { grantClientCredentials } from "./grant-client-credentials.ts";
import type { TokenResponse } from "./issue-grant-tokens.ts";
import { refreshGrant } from "./refresh-grant.ts";
import { required, type TokenRequest } from "./token-request.ts";

const grants: Readonly<Record<string, (deps: Deps, request: TokenRequest) => Promise<TokenResponse>>> = {
  authorization_code: exchangeCode,
  client_credentials: grantClientCredentials,
  refresh_token: refreshGrant,
};

export const supportedGrantTypes: readonly string[] = Object.keys(grants);

/** POST /oauth/token. @throws OAuthError with the codes of RFC 6749 §5.2. */
export const grantToken = async (deps: Deps, request: TokenRequest): Promise<TokenResponse> => {
  const grantType = required(request.form, "grant_type");
  const grant = Object.hasOwn(grants, grantType) ? grants[grantType] : undefined;
  if (!grant) throw new OAuthError("unsupported_grant_type", "the grant type is not supported");
  if (!request.client.grantTypes.includes(grantType)) {
    throw new OAuthError("unauthorized_client", "the client is not registered for this grant type");
  }
  return grant(deps, request);
};
