import type { Client } from "../clients/client.ts";
import { RequestError } from "../errors/errors.ts";
import type { KeyPair } from "../keys/key-pair.ts";
import { isMembers, type Members, numberIn, textIn, textOrNull } from "../wire/members.ts";
import { toCamel } from "../wire/names.ts";
import type { GrantedMandate } from "./mandate.ts";

/** The permission that a payer granted to an agent, with the agent's current tokens. */
export type Grant = {
  grantId: string;
  accessToken: string;
  tokenType: "DPoP" | "Bearer";
  /** when the access token expires; `refresh` requests a new token */
  expiresAt: Date;
  /** null if the client isn't registered for refresh tokens */
  refreshToken: string | null;
  /** scopes, separated by spaces; null if the server didn't send them */
  scope: string | null;
  /** the live mandates that the access token covers */
  mandates: GrantedMandate[];
};

export const readTokenType = (response: Members): "DPoP" | "Bearer" => {
  const type = textIn(response, "token_type").toLowerCase();
  if (type === "dpop") return "DPoP";
  if (type === "bearer") return "Bearer";
  throw new RequestError("invalid_response", "The server issued a token of an unknown type.");
};

export const readExpiry = (response: Members): Date => new Date(Date.now() + numberIn(response, "expires_in") * 1000);

export const readMandates = (response: Members): GrantedMandate[] => {
  const details = response["authorization_details"];
  const mandates = Array.isArray(details) ? details.filter(isMembers) : [];
  return mandates.map((mandate) => toCamel(mandate) as GrantedMandate);
};

/** @param refreshToken is kept if the response has no new refresh token. */
export const readGrant = (response: Members, refreshToken: string | null): Grant => ({
  grantId: textIn(response, "grant_id"),
  accessToken: textIn(response, "access_token"),
  tokenType: readTokenType(response),
  expiresAt: readExpiry(response),
  refreshToken: textOrNull(response, "refresh_token") ?? refreshToken,
  scope: textOrNull(response, "scope"),
  mandates: readMandates(response),
});

/**
 * The key to which a grant's token or credential is bound. Credentials of a Bearer client are bound to its client key.
 */
export const holderKey = (agent: Client, { tokenType }: Pick<Grant, "tokenType">): KeyPair => {
  if (tokenType === "Bearer") return agent.clientKey;
  if (agent.dpopKey === null) throw new TypeError("The grant is bound to a DPoP key that this client doesn't have.");
  return agent.dpopKey;
};
