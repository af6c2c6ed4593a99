import { exportJWK } from "jose";
import * as oauth from "oauth4webapi";
import { expect } from "vitest";
import { consent } from "../support/oauth/consent-driver.ts";
import { mandateDetails } from "../support/oauth/mandate-flow.ts";
import { redirectUri } from "../support/oauth/parties.ts";
import { createRecording } from "./recording-fetch.ts";

export type RegisteredClient = { client: oauth.Client; auth: oauth.ClientAuth; DPoP: oauth.DPoPHandle };

/** Servers and resources under test use plain http on loopback. */
export const insecure = { [oauth.allowInsecureRequests]: true } as const;

/** Discovers the server (RFC 8414). Requests with the options `http` are recorded. */
export const discoverServer = async (baseUrl: string) => {
  const recording = createRecording();
  const issuer = new URL(baseUrl);
  const response = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" });
  const as = await oauth.processDiscoveryResponse(issuer, response);
  return { as, baseUrl, recording, http: { ...insecure, [oauth.customFetch]: recording.fetch } };
};

export type DiscoveredServer = Awaited<ReturnType<typeof discoverServer>>;

/**
 * Sends a request, and sends it again if the server requires a nonce. The library has kept the nonce of the first
 * response (RFC 9449 §8, §9).
 */
export const retryWithNonce = async <T>(sendRequest: () => Promise<T>): Promise<T> => {
  try {
    return await sendRequest();
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return sendRequest();
  }
};

export const registerClient = async (
  { as, http }: DiscoveredServer,
  metadata: Partial<oauth.Client>,
  { initialAccessToken, alg = "ES256" }: { initialAccessToken: string | undefined; alg?: string },
): Promise<RegisteredClient> => {
  const { privateKey, publicKey } = await oauth.generateKeyPair(alg);
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "own", use: "sig" }] };
  const sent = { ...metadata, token_endpoint_auth_method: "private_key_jwt", jwks } as Partial<oauth.Client>;
  const options = { ...http, ...(initialAccessToken ? { initialAccessToken } : {}) };
  const response = await oauth.dynamicClientRegistrationRequest(as, sent, options);
  const client: oauth.Client = await oauth.processDynamicClientRegistrationResponse(response);
  const auth = oauth.PrivateKeyJwt({ key: privateKey, kid: "own" });
  return { client, auth, DPoP: oauth.DPoP(client, await oauth.generateKeyPair(alg)) };
};

/** PAR with PKCE, RAR and DPoP, then the consent page. @returns the checked parameters of the redirect. */
export const authorizeMandate = async (
  { as, http, baseUrl }: DiscoveredServer,
  { client, auth, DPoP }: RegisteredClient,
  { merchantId, verifier }: { merchantId: string; verifier: string },
): Promise<URLSearchParams> => {
  const state = oauth.generateRandomState();
  const parameters = {
    response_type: "code",
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    authorization_details: JSON.stringify([mandateDetails(merchantId)]),
  };
  const pushed = await retryWithNonce(async () => {
    const response = await oauth.pushedAuthorizationRequest(as, client, auth, parameters, { ...http, DPoP });
    return oauth.processPushedAuthorizationResponse(as, client, response);
  });
  expect(pushed.expires_in).toBe(300);
  const request = { clientId: client.client_id, requestUri: pushed.request_uri };
  return oauth.validateAuthResponse(as, client, await consent(baseUrl, request), state);
};

export const exchangeCode = (
  { as, http }: DiscoveredServer,
  { client, auth, DPoP }: RegisteredClient,
  { callback, verifier }: { callback: URLSearchParams; verifier: string },
) =>
  retryWithNonce(async () => {
    const options = { ...http, DPoP };
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      auth,
      callback,
      redirectUri,
      verifier,
      options,
    );
    return oauth.processAuthorizationCodeResponse(as, client, response);
  });

export const introspectToken = async (
  { as, http }: DiscoveredServer,
  { client, auth }: RegisteredClient,
  token: string,
) => {
  const options = { ...http, requestJwtResponse: false };
  const response = await oauth.introspectionRequest(as, client, auth, token, options);
  return oauth.processIntrospectionResponse(as, client, response);
};

/** Reads the charges of the mandate in `granted` with the access token in `used`. */
export const readChargesOf = (
  { baseUrl, http }: DiscoveredServer,
  { DPoP }: RegisteredClient,
  { granted, used }: { granted: oauth.TokenEndpointResponse; used: oauth.TokenEndpointResponse },
): Promise<Response> => {
  const mandateId = granted.authorization_details?.[0]?.["identifier"];
  const url = new URL(`${baseUrl}/oauth/mandates/${mandateId}/charges`);
  return retryWithNonce(() =>
    oauth.protectedResourceRequest(used.access_token, "GET", url, undefined, null, { ...http, DPoP }),
  );
};
