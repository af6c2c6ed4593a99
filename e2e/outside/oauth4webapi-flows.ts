import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, test } from "vitest";
import { redirectUri, registerMerchant } from "../support/oauth/parties.ts";
import { tokenExchangeGrant, tokenTypeUri } from "../support/oauth/token-exchange.ts";
import {
  authorizeMandate,
  type DiscoveredServer,
  discoverServer,
  exchangeCode,
  insecure,
  introspectToken,
  type RegisteredClient,
  readChargesOf,
  registerClient,
  retryWithNonce,
} from "./oauth4webapi-driver.ts";

type Server = {
  baseUrl(): string;
  /** set if the environment requires an initial access token for registration (RFC 7591 §3) */
  initialAccessToken?(kind: "agent" | "merchant"): Promise<{ token: string; merchantId: string | null }>;
  nonces: "offers" | "requires";
};

/** State that the tests of one server share. They run in order, and each uses the latest tokens. */
type Flow = {
  server: DiscoveredServer;
  agent: RegisteredClient;
  shop: RegisteredClient;
  merchantId: string;
  tokens: oauth.TokenEndpointResponse;
};

/** Tests every flow with oauth4webapi, unmodified from npm. The library checks each response strictly. */
export const describeOauth4webapi = (title: string, server: Server): void => {
  describe(`oauth4webapi from npm, ${title}`, () => {
    const flow = {} as Flow;
    beforeAll(async () => {
      Object.assign(flow, await registerParties(server));
    });
    describeDiscovery(flow);
    describeMandateTokens(flow);
    testClientCredentials(flow);
    describeIntrospection(flow);
    describeEnd(flow);

    test(`the server ${server.nonces} nonces (RFC 9449 §8, §9)`, () => {
      const { recording } = flow.server;
      if (server.nonces === "requires") expect(recording.nonceDemands()).toBeGreaterThan(1);
      else expect(recording.nonceDemands()).toBe(0);
    });
  });
};

const registerParties = async ({ baseUrl, initialAccessToken }: Server): Promise<Omit<Flow, "tokens">> => {
  const server = await discoverServer(baseUrl());
  const initial = await initialAccessToken?.("merchant");
  const headers = initial ? { authorization: `Bearer ${initial.token}` } : {};
  const merchantId = initial?.merchantId ?? (await registerMerchant(baseUrl(), { headers })).merchantId;
  const shopMetadata = { grant_types: ["client_credentials"], scope: "charges.read" };
  // For Ed25519 keys, the library uses the algorithm names of RFC 9864.
  const shop = await registerClient(server, shopMetadata, { initialAccessToken: initial?.token, alg: "Ed25519" });
  const grantTypes = ["authorization_code", "refresh_token", tokenExchangeGrant];
  const agentMetadata = { redirect_uris: [redirectUri], grant_types: grantTypes };
  const agentToken = (await initialAccessToken?.("agent"))?.token;
  const agent = await registerClient(server, agentMetadata, { initialAccessToken: agentToken });
  return { server, agent, shop, merchantId };
};

const describeDiscovery = (flow: Flow): void => {
  describe("discovery and registration", () => {
    test("finds each protected resource's metadata, which names this server (RFC 9728 §3)", async () => {
      const { as, baseUrl } = flow.server;
      const resources = as["protected_resources"] as string[];
      expect(resources).toContain(`${baseUrl}/merchant_test`);
      for (const resource of resources) {
        const identifier = new URL(resource);
        const response = await oauth.resourceDiscoveryRequest(identifier, insecure);
        const metadata = await oauth.processResourceDiscoveryResponse(identifier, response);
        expect(metadata.authorization_servers).toEqual([baseUrl]);
      }
    });

    test("gets everything that it registered, defaults included (RFC 7591 §3.2.1)", () => {
      expect(flow.agent.client).toMatchObject({
        token_endpoint_auth_method: "private_key_jwt",
        response_types: ["code"],
        dpop_bound_access_tokens: true,
        client_id_issued_at: expect.any(Number),
      });
    });
  });
};

/** The agent's charges with its latest tokens. */
const readCharges = ({ server, agent, tokens }: Flow): Promise<Response> =>
  readChargesOf(server, agent, { granted: tokens, used: tokens });

const describeMandateTokens = (flow: Flow): void => {
  describe("tokens of a mandate", () => {
    test("gets a mandate with PAR, PKCE, RAR, consent and DPoP (RFC 9126, 7636, 9396, 9207, 9449)", async () => {
      const { server, agent, merchantId } = flow;
      const verifier = oauth.generateRandomCodeVerifier();
      const callback = await authorizeMandate(server, agent, { merchantId, verifier });
      flow.tokens = await exchangeCode(server, agent, { callback, verifier });
      expect(flow.tokens).toMatchObject({ token_type: "dpop", expires_in: 300, refresh_token: expect.any(String) });
      expect(await (await readCharges(flow)).json()).toEqual({ data: [], has_more: false });
    });

    test("validates the access token that was sent to a resource (RFC 9068 §4, RFC 9449 §7)", async () => {
      const { as, baseUrl, recording } = flow.server;
      await readCharges(flow);
      const options = { ...insecure, requireDPoP: true, signingAlgorithms: ["ES256"] };
      const claims = await oauth.validateJwtAccessToken(as, recording.lastRequest(), baseUrl, options);
      expect(claims).toMatchObject({ client_id: flow.agent.client.client_id, cnf: { jkt: expect.any(String) } });
      const elsewhere = oauth.validateJwtAccessToken(as, recording.lastRequest(), "https://other.example", options);
      await expect(elsewhere).rejects.toMatchObject({ code: oauth.JWT_CLAIM_COMPARISON });
    });

    test("gets a refusal for another verifier, and the code still works with the right one (RFC 7636 §4.6)", async () => {
      const { server, agent, merchantId } = flow;
      const verifier = oauth.generateRandomCodeVerifier();
      const callback = await authorizeMandate(server, agent, { merchantId, verifier });
      const wrong = exchangeCode(server, agent, { callback, verifier: oauth.generateRandomCodeVerifier() });
      await expect(wrong).rejects.toMatchObject({
        code: oauth.RESPONSE_BODY_ERROR,
        error: "invalid_grant",
        status: 400,
      });
      expect((await exchangeCode(server, agent, { callback, verifier })).token_type).toBe("dpop");
    });

    test("refreshes (RFC 6749 §6)", async () => {
      const { as, http } = flow.server;
      const { client, auth, DPoP } = flow.agent;
      const refreshToken = flow.tokens.refresh_token ?? "";
      flow.tokens = await retryWithNonce(async () => {
        const response = await oauth.refreshTokenGrantRequest(as, client, auth, refreshToken, { ...http, DPoP });
        const refreshed = await oauth.processRefreshTokenResponse(as, client, response);
        return { refresh_token: refreshToken, ...refreshed };
      });
      expect((await readCharges(flow)).status).toBe(200);
    });
  });
};

const testClientCredentials = (flow: Flow): void => {
  test("gets a token for itself, bound or as Bearer (RFC 6749 §4.4, RFC 9449 §5)", async () => {
    const { server, shop } = flow;
    const { as, http, baseUrl } = server;
    const { client, auth, DPoP } = shop;
    const parameters = { scope: "charges.read" };
    for (const [options, type] of [[{ ...http, DPoP }, "dpop"] as const, [http, "bearer"] as const]) {
      const own = await retryWithNonce(async () => {
        const response = await oauth.clientCredentialsGrantRequest(as, client, auth, parameters, options);
        return oauth.processClientCredentialsResponse(as, client, response);
      });
      expect(own).toMatchObject({ token_type: type, expires_in: 600 });
      expect(await introspectToken(server, shop, own.access_token)).toMatchObject({ active: true, ...parameters });
      const url = new URL(`${baseUrl}/merchant_test/charges`);
      const sendRequest = () => oauth.protectedResourceRequest(own.access_token, "GET", url, undefined, null, options);
      expect((await retryWithNonce(sendRequest)).status).toBe(200);
    }
  });
};

const describeIntrospection = (flow: Flow): void => {
  describe("introspection and token exchange", () => {
    test("introspects its own tokens and no others (RFC 7662 §2.2)", async () => {
      const { server, agent, shop, tokens } = flow;
      expect(await introspectToken(server, agent, tokens.access_token)).toMatchObject({
        active: true,
        grant_id: tokens["grant_id"],
      });
      expect(await introspectToken(server, shop, tokens.access_token)).toEqual({ active: false });
    });

    test("gets introspection as a JWT with a valid signature (RFC 9701)", async () => {
      const { as, http } = flow.server;
      const { client, auth } = flow.agent;
      const options = { ...http, requestJwtResponse: true };
      const response = await oauth.introspectionRequest(as, client, auth, flow.tokens.access_token, options);
      expect(response.headers.get("content-type")).toBe("application/token-introspection+jwt");
      expect(await oauth.processIntrospectionResponse(as, client, response)).toMatchObject({ active: true });
      await oauth.validateApplicationLevelSignature(as, response, insecure);
    });

    test("exchanges its token for one merchant's mandate token (RFC 8693)", async () => {
      const { server, agent, tokens, merchantId } = flow;
      const { client, auth, DPoP } = agent;
      const parameters = {
        subject_token: tokens.access_token,
        subject_token_type: tokenTypeUri("access_token"),
        audience: merchantId,
      };
      const options = { ...server.http, DPoP };
      const exchanged = await retryWithNonce(async () => {
        const grant = tokenExchangeGrant;
        const response = await oauth.genericTokenEndpointRequest(server.as, client, auth, grant, parameters, options);
        return oauth.processGenericTokenEndpointResponse(server.as, client, response);
      });
      expect(exchanged).toMatchObject({ token_type: "dpop", issued_token_type: tokenTypeUri("access_token") });
      expect(exchanged.refresh_token).toBeUndefined();
      const read = readChargesOf(server, agent, { granted: tokens, used: exchanged });
      await expect(read).rejects.toMatchObject({ status: 401 });
    });
  });
};

const describeEnd = (flow: Flow): void => {
  describe("revocation and deletion", () => {
    test("revokes, and the next call gets a challenge (RFC 7009, RFC 6750 §3)", async () => {
      const { server, agent, tokens } = flow;
      const { client, auth } = agent;
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server.as, client, auth, tokens.refresh_token ?? "", server.http),
      );
      expect(await introspectToken(server, agent, tokens.access_token)).toEqual({ active: false });
      await expect(readCharges(flow)).rejects.toMatchObject({
        code: oauth.WWW_AUTHENTICATE_CHALLENGE,
        cause: expect.arrayContaining([
          { scheme: "dpop", parameters: expect.objectContaining({ error: "invalid_token" }) },
        ]),
      });
    });

    test("reads, replaces and deletes its registration (RFC 7592)", async () => {
      const { client } = flow.agent;
      const url = new URL(String(client["registration_client_uri"]));
      const manage = (method: string, accessToken: unknown, body?: object) => {
        const headers = new Headers({ "content-type": "application/json" });
        const text = JSON.stringify(body);
        return oauth.protectedResourceRequest(String(accessToken), method, url, headers, text, flow.server.http);
      };
      const { registration_access_token: token, ...read } = await (
        await manage("GET", client["registration_access_token"])
      ).json();
      expect(read).toMatchObject({ client_id: client.client_id, redirect_uris: [redirectUri] });
      const { client_id_issued_at: _at, registration_client_uri: _uri, ...metadata } = read;
      const replaced = await (await manage("PUT", token, { ...metadata, client_name: "Renamed" })).json();
      expect(replaced).toMatchObject({ client_id: client.client_id, client_name: "Renamed" });
      const current = replaced.registration_access_token;
      expect((await manage("DELETE", current)).status).toBe(204);
      await expect(manage("GET", current)).rejects.toMatchObject({
        code: oauth.WWW_AUTHENTICATE_CHALLENGE,
        status: 401,
      });
    });
  });
};
