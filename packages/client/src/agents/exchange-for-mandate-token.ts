import type { Client } from "../clients/client.ts";
import type { CallOptions } from "../http/call-options.ts";
import { textIn } from "../wire/members.ts";
import { toSnake } from "../wire/names.ts";
import { type Grant, readExpiry, readMandates } from "./grant.ts";
import type { GrantedMandate } from "./mandate.ts";
import { requestToken } from "./request-token.ts";

export type MandateTokenRequest = {
  grant: Grant;
  /** id of the merchant that will use the token */
  audience: string;
  /** default: every mandate that allows this merchant as payee */
  mandateId?: string;
  /** fewer or narrower mandates than granted */
  authorizationDetails?: readonly GrantedMandate[];
};

/** A token that an agent gives to one merchant. The merchant also needs `proveMandateToken` for each request. */
export type MandateToken = {
  mandateToken: string;
  audience: string;
  expiresAt: Date;
  mandates: GrantedMandate[];
};

const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

const requestedDetails = ({ grant, mandateId, authorizationDetails }: MandateTokenRequest): string | undefined => {
  const wanted = authorizationDetails ?? (mandateId === undefined ? undefined : grant.mandates);
  const chosen = wanted?.filter(({ identifier }) => mandateId === undefined || identifier === mandateId);
  if (chosen?.length === 0) throw new TypeError("The grant has no mandate with this mandateId.");
  return chosen && JSON.stringify(toSnake(chosen));
};

/** Exchanges the grant's access token for a mandate token (RFC 8693). Needs a client with bound tokens. */
export const exchangeForMandateToken = async (
  agent: Client,
  request: MandateTokenRequest,
  options: CallOptions = {},
): Promise<MandateToken> => {
  const fields = {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: request.grant.accessToken,
    subject_token_type: accessTokenType,
    requested_token_type: accessTokenType,
    audience: request.audience,
    authorization_details: requestedDetails(request),
  };
  const response = await requestToken(agent, fields, options);
  return {
    mandateToken: textIn(response, "access_token"),
    audience: request.audience,
    expiresAt: readExpiry(response),
    mandates: readMandates(response),
  };
};
