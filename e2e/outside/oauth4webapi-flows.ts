import { exportJWK } from "jose";
import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, test } from "vitest";
import { consent } from "../support/oauth/consent-driver.ts";
import { mandateDetails } from "../support/oauth/mandate-flow.ts";
import { redirectUri, registerMerchant } from "../support/oauth/parties.ts";
import { tokenExchangeGrant, tokenTypeUri } from "../support/oauth/token-exchange.ts";
import { createRecording } from "./recording-fetch.ts";

type Party = { client: oauth.Client; auth: oauth.ClientAuth; DPoP: oauth.DPoPHandle };

type Server = {
  baseUrl(): string;
  /** for an environment that requires one for registration (RFC 7591 §3) */
  initialAccessToken?(kind: "agent" | "merchant"): Promise<{ token: string; merchantId: string | null }>;
  nonces: "offered" | "demanded";
};

/** Every flow with oauth4webapi, unmodified from npm. It checks each response strictly. */
export const describeOauth4webapi = (title: string, server: Server): void => {
  describe(`oauth4webapi from npm, ${title}`, () => {
    const recording = createRecording();
    const insecure = { [oauth.allowInsecureRequests]: true } as const;
    const http = { ...insecure, [oauth.customFetch]: recording.fetch };
    let as: oauth.AuthorizationServer;
    let agent: Party;
    let shop: Party;
    let merchantId: string;
    let tokens: oauth.TokenEndpointResponse;

    /** The refusal contained the nonce, and the library kept it for the second attempt (RFC 9449 §8). */
    const withNonce = async <T>(sendRequest: () => Promise<T>): Promise<T> => {
      try {
        return await sendRequest();
      } catch (error) {
        if (!oauth.isDPoPNonceError(error)) throw error;
        return sendRequest();
      }
    };

    const register = async (
      metadata: Partial<oauth.Client>,
      initialAccessToken?: string,
      alg = "ES256",
    ): Promise<Party> => {
      const { privateKey, publicKey } = await oauth.generateKeyPair(alg);
      const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "own", use: "sig" }] };
      const sent = { ...metadata, token_endpoint_auth_method: "private_key_jwt", jwks } as Partial<oauth.Client>;
      const options = { ...http, ...(initialAccessToken ? { initialAccessToken } : {}) };
      const response = await oauth.dynamicClientRegistrationRequest(as, sent, options);
      const client: oauth.Client = await oauth.processDynamicClientRegistrationResponse(response);
      const auth = oauth.PrivateKeyJwt({ key: privateKey, kid: "own" });
      return { client, auth, DPoP: oauth.DPoP(client, await oauth.generateKeyPair(alg)) };
    };

    const authorize = async ({ client, auth, DPoP }: Party, verifier: string) => {
      const state = oauth.generateRandomState();
      const parameters = {
        response_type: "code",
        redirect_uri: redirectUri,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        authorization_details: JSON.stringify([mandateDetails(merchantId)]),
      };
      const pushed = await withNonce(async () => {
        const response = await oauth.pushedAuthorizationRequest(as, client, auth, parameters, { ...http, DPoP });
        return oauth.processPushedAuthorizationResponse(as, client, response);
      });
      expect(pushed.expires_in).toBe(300);
      const request = { clientId: client.client_id, requestUri: pushed.request_uri };
      return oauth.validateAuthResponse(as, client, await consent(server.baseUrl(), request), state);
    };

    const exchange = ({ client, auth, DPoP }: Party, callback: URLSearchParams, verifier: string) =>
      withNonce(async () => {
        const options = { ...http, DPoP };
        const response = await oauth.authorizationCodeGrantRequest(
          ...([as, client, auth, callback, redirectUri, verifier, options] as const),
        );
        return oauth.processAuthorizationCodeResponse(as, client, response);
      });

    const introspect = async ({ client, auth }: Party, token: string) =>
      oauth.processIntrospectionResponse(
        as,
        client,
        await oauth.introspectionRequest(as, client, auth, token, { ...http, requestJwtResponse: false }),
      );

    const read = (path: string, { access_token: token }: oauth.TokenEndpointResponse, { DPoP }: Party) => {
      const url = new URL(`${server.baseUrl()}${path}`);
      return withNonce(() => oauth.protectedResourceRequest(token, "GET", url, undefined, null, { ...http, DPoP }));
    };
    const chargesOf = ({ authorization_details: details }: oauth.TokenEndpointResponse) =>
      `/oauth/mandates/${details?.[0]?.["identifier"]}/charges`;

    beforeAll(async () => {
      const issuer = new URL(server.baseUrl());
      const response = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" });
      as = await oauth.processDiscoveryResponse(issuer, response);
      const initial = await server.initialAccessToken?.("merchant");
      const headers = initial ? { authorization: `Bearer ${initial.token}` } : {};
      merchantId = initial?.merchantId ?? (await registerMerchant(server.baseUrl(), { headers })).merchantId;
      // The library uses the algorithm names of RFC 9864 for such keys.
      const shopMetadata = { grant_types: ["client_credentials"], scope: "charges.read" };
      shop = await register(shopMetadata, initial?.token, "Ed25519");
      const grantTypes = ["authorization_code", "refresh_token", tokenExchangeGrant];
      const agentMetadata = { redirect_uris: [redirectUri], grant_types: grantTypes };
      agent = await register(agentMetadata, (await server.initialAccessToken?.("agent"))?.token);
    });

    test("finds each protected resource's metadata, which names this server (RFC 9728 §3)", async () => {
      const resources = as["protected_resources"] as string[];
      expect(resources).toContain(`${server.baseUrl()}/merchant_test`);
      for (const resource of resources) {
        const identifier = new URL(resource);
        const response = await oauth.resourceDiscoveryRequest(identifier, insecure);
        const metadata = await oauth.processResourceDiscoveryResponse(identifier, response);
        expect(metadata.authorization_servers).toEqual([server.baseUrl()]);
      }
    });

    test("gets everything that it registered, defaults included (RFC 7591 §3.2.1)", () => {
      expect(agent.client).toMatchObject({
        token_endpoint_auth_method: "private_key_jwt",
        response_types: ["code"],
        dpop_bound_access_tokens: true,
        client_id_issued_at: expect.any(Number),
      });
    });

    test("gets a mandate with PAR, PKCE, RAR, consent and DPoP (RFC 9126, 7636, 9396, 9207, 9449)", async () => {
      const verifier = oauth.generateRandomCodeVerifier();
      tokens = await exchange(agent, await authorize(agent, verifier), verifier);
      expect(tokens).toMatchObject({ token_type: "dpop", expires_in: 300, refresh_token: expect.any(String) });
      expect(await (await read(chargesOf(tokens), tokens, agent)).json()).toEqual({ data: [], has_more: false });
    });

    test("accepts, by its own check of JWT access tokens, what a resource gets (RFC 9068 §4, RFC 9449 §7)", async () => {
      await read(chargesOf(tokens), tokens, agent);
      const options = { ...insecure, requireDPoP: true, signingAlgorithms: ["ES256"] };
      const claims = await oauth.validateJwtAccessToken(as, recording.lastRequest(), server.baseUrl(), options);
      expect(claims).toMatchObject({ client_id: agent.client.client_id, cnf: { jkt: expect.any(String) } });
      const elsewhere = oauth.validateJwtAccessToken(as, recording.lastRequest(), "https://other.example", options);
      await expect(elsewhere).rejects.toMatchObject({ code: oauth.JWT_CLAIM_COMPARISON });
    });

    test("gets a refusal for another verifier, and the code still works with the right one (RFC 7636 §4.6)", async () => {
      const verifier = oauth.generateRandomCodeVerifier();
      const callback = await authorize(agent, verifier);
      const wrong = exchange(agent, callback, oauth.generateRandomCodeVerifier());
      await expect(wrong).rejects.toMatchObject({
        code: oauth.RESPONSE_BODY_ERROR,
        error: "invalid_grant",
        status: 400,
      });
      expect((await exchange(agent, callback, verifier)).token_type).toBe("dpop");
    });

    test("refreshes (RFC 6749 §6)", async () => {
      const { client, auth, DPoP } = agent;
      tokens = await withNonce(async () => {
        const refreshToken = tokens.refresh_token ?? "";
        const response = await oauth.refreshTokenGrantRequest(as, client, auth, refreshToken, { ...http, DPoP });
        const refreshed = await oauth.processRefreshTokenResponse(as, client, response);
        return { refresh_token: refreshToken, ...refreshed };
      });
      expect((await read(chargesOf(tokens), tokens, agent)).status).toBe(200);
    });

    test("gets a token for itself, bound or as Bearer (RFC 6749 §4.4, RFC 9449 §5)", async () => {
      const { client, auth, DPoP } = shop;
      for (const [options, type] of [[{ ...http, DPoP }, "dpop"] as const, [http, "bearer"] as const]) {
        const own = await withNonce(async () => {
          const response = await oauth.clientCredentialsGrantRequest(
            as,
            client,
            auth,
            { scope: "charges.read" },
            options,
          );
          return oauth.processClientCredentialsResponse(as, client, response);
        });
        expect(own).toMatchObject({ token_type: type, expires_in: 600 });
        expect(await introspect(shop, own.access_token)).toMatchObject({ active: true, scope: "charges.read" });
        const url = new URL(`${server.baseUrl()}/merchant_test/charges`);
        const sendRequest = () =>
          oauth.protectedResourceRequest(own.access_token, "GET", url, undefined, null, options);
        expect((await withNonce(sendRequest)).status).toBe(200);
      }
    });

    test("introspects its own tokens and no others (RFC 7662 §2.2)", async () => {
      expect(await introspect(agent, tokens.access_token)).toMatchObject({
        active: true,
        grant_id: tokens["grant_id"],
      });
      expect(await introspect(shop, tokens.access_token)).toEqual({ active: false });
    });

    test("gets introspection as a JWT with a valid signature (RFC 9701)", async () => {
      const { client, auth } = agent;
      const options = { ...http, requestJwtResponse: true };
      const response = await oauth.introspectionRequest(as, client, auth, tokens.access_token, options);
      expect(response.headers.get("content-type")).toBe("application/token-introspection+jwt");
      expect(await oauth.processIntrospectionResponse(as, client, response)).toMatchObject({ active: true });
      await oauth.validateApplicationLevelSignature(as, response, insecure);
    });

    test("exchanges its token for one merchant's mandate token (RFC 8693)", async () => {
      const { client, auth, DPoP } = agent;
      const parameters = {
        subject_token: tokens.access_token,
        subject_token_type: tokenTypeUri("access_token"),
        audience: merchantId,
      };
      const exchanged = await withNonce(async () => {
        const response = await oauth.genericTokenEndpointRequest(
          ...([as, client, auth, tokenExchangeGrant, parameters, { ...http, DPoP }] as const),
        );
        return oauth.processGenericTokenEndpointResponse(as, client, response);
      });
      expect(exchanged).toMatchObject({ token_type: "dpop", issued_token_type: tokenTypeUri("access_token") });
      expect(exchanged.refresh_token).toBeUndefined();
      await expect(read(chargesOf(tokens), exchanged, agent)).rejects.toMatchObject({ status: 401 });
    });

    test("revokes, and the next call gets a challenge (RFC 7009, RFC 6750 §3)", async () => {
      const { client, auth } = agent;
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(as, client, auth, tokens.refresh_token ?? "", http),
      );
      expect(await introspect(agent, tokens.access_token)).toEqual({ active: false });
      await expect(read(chargesOf(tokens), tokens, agent)).rejects.toMatchObject({
        code: oauth.WWW_AUTHENTICATE_CHALLENGE,
        cause: expect.arrayContaining([
          { scheme: "dpop", parameters: expect.objectContaining({ error: "invalid_token" }) },
        ]),
      });
    });

    test("reads, replaces and deletes its registration (RFC 7592)", async () => {
      const { registration_client_uri: uri, ...given } = agent.client;
      const manage = (method: string, token: unknown, body?: object) => {
        const headers = new Headers({ "content-type": "application/json" });
        const url = new URL(String(uri));
        return oauth.protectedResourceRequest(String(token), method, url, headers, JSON.stringify(body), http);
      };
      const { registration_access_token: token, ...read } = await (
        await manage("GET", given["registration_access_token"])
      ).json();
      expect(read).toMatchObject({ client_id: agent.client.client_id, redirect_uris: [redirectUri] });
      const { client_id_issued_at: _at, registration_client_uri: _uri, ...metadata } = read;
      const replaced = await (await manage("PUT", token, { ...metadata, client_name: "Renamed" })).json();
      expect(replaced).toMatchObject({ client_id: agent.client.client_id, client_name: "Renamed" });
      const current = replaced.registration_access_token;
      expect((await manage("DELETE", current)).status).toBe(204);
      await expect(manage("GET", current)).rejects.toMatchObject({
        code: oauth.WWW_AUTHENTICATE_CHALLENGE,
        status: 401,
      });
    });

    test(`saw nonces that were ${server.nonces} (RFC 9449 §8, §9)`, () => {
      if (server.nonces === "demanded") expect(recording.nonceDemands()).toBeGreaterThan(1);
      else expect(recording.nonceDemands()).toBe(0);
    });
  });
};
