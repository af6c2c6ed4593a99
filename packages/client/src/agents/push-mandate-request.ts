import { base64url } from "jose";
import type { Client } from "../clients/client.ts";
import { postForm } from "../clients/post-form.ts";
import type { CallOptions } from "../http/call-options.ts";
import { readJson } from "../http/get-json.ts";
import { sha256, utf8 } from "../wire/bytes.ts";
import { numberIn, textIn } from "../wire/members.ts";
import { toSnake } from "../wire/names.ts";
import type { MandateRequest } from "./mandate.ts";

export type RequestedMandates = {
  /** one of the registered redirect URIs */
  redirectUri: string;
  /** one item for each mandate; you can also send the `authorizationDetails` of a merchant's `remedy` */
  authorizationDetails: readonly MandateRequest[];
  scope?: string;
  /** any value; it is returned with the code. Default: a random value */
  state?: string;
  /**
   * in seconds: if the payer's last authentication is older, the payer must authenticate again. Values above 300
   * have no effect
   */
  maxAgeSeconds?: number;
  acrValues?: readonly string[];
  /** replaces this grant's mandates after the payer's consent, for example with higher limits */
  grantId?: string;
};

/** A pushed request. Keep it until the payer returns: `exchangeCode` needs it. */
export type PushedRequest = {
  /** the page on which the payer decides; open it in the payer's browser */
  authorizationUrl: string;
  requestUri: string;
  state: string;
  codeVerifier: string;
  redirectUri: string;
  /** when the URL expires */
  expiresAt: Date;
};

const randomText = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(32)));

const toDetails = (details: readonly MandateRequest[]): string =>
  JSON.stringify(details.map((mandate) => toSnake({ ...mandate, type: "payment_mandate_v1" })));

/**
 * Pushes a request for mandates (RFC 9126, RFC 9396) with PKCE (RFC 7636). If the agent has a DPoP key, the code is
 * bound to it (RFC 9449 §10).
 */
export const pushMandateRequest = async (
  agent: Client,
  { redirectUri, authorizationDetails, scope, state = randomText(), ...more }: RequestedMandates,
  options: CallOptions = {},
): Promise<PushedRequest> => {
  const { pushedAuthorizationRequestEndpoint: url, authorizationEndpoint } = agent.server;
  const codeVerifier = randomText();
  const fields = {
    response_type: "code",
    redirect_uri: redirectUri,
    code_challenge: base64url.encode(await sha256(utf8(codeVerifier))),
    code_challenge_method: "S256",
    authorization_details: toDetails(authorizationDetails),
    state,
    scope,
    max_age: more.maxAgeSeconds?.toString(),
    acr_values: more.acrValues?.join(" "),
    ...(more.grantId === undefined ? {} : { grant_management_action: "replace", grant_id: more.grantId }),
  };
  const pushed = readJson(await postForm(agent, { url, fields, isProven: true }, options));
  const requestUri = textIn(pushed, "request_uri");
  const query = new URLSearchParams({ client_id: agent.clientId, request_uri: requestUri });
  const expiresAt = new Date(Date.now() + numberIn(pushed, "expires_in") * 1000);
  return {
    authorizationUrl: `${authorizationEndpoint}?${query}`,
    requestUri,
    state,
    codeVerifier,
    redirectUri,
    expiresAt,
  };
};
