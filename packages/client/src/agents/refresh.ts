import type { Client } from "../clients/client.ts";
import type { CallOptions } from "../http/call-options.ts";
import { toSnake } from "../wire/names.ts";
import { type Grant, readGrant } from "./grant.ts";
import type { GrantedMandate } from "./mandate.ts";
import { requestToken } from "./request-token.ts";

export type GrantToRefresh = {
  grant: Grant;
  /** fewer scopes than granted */
  scope?: string;
  /** narrower mandates than granted, for this access token only (RFC 9396 §6.1) */
  authorizationDetails?: readonly GrantedMandate[];
};

/** A new access token for the grant. Keep the returned grant, because it may have a new refresh token. */
export const refresh = async (
  agent: Client,
  { grant, scope, authorizationDetails }: GrantToRefresh,
  options: CallOptions = {},
): Promise<Grant> => {
  if (grant.refreshToken === null) throw new TypeError("The grant has no refresh token.");
  const fields = {
    grant_type: "refresh_token",
    refresh_token: grant.refreshToken,
    scope,
    authorization_details: authorizationDetails && JSON.stringify(toSnake(authorizationDetails)),
  };
  return readGrant(await requestToken(agent, fields, options), grant.refreshToken);
};
