import { exportJWK, generateKeyPair } from "jose";
import * as client from "openid-client";
import { beforeAll, describe, expect, test } from "vitest";
import { consent } from "../support/oauth/consent-driver.ts";
import { mandateDetails } from "../support/oauth/mandate-flow.ts";
import { redirectUri, registerMerchant } from "../support/oauth/parties.ts";
import { tokenExchangeGrant, tokenTypeUri } from "../support/oauth/token-exchange.ts";
import { createRecording, type Recording } from "./recording-fetch.ts";

type Registered = { config: client.Configuration; DPoP: client.DPoPHandle };

/** State that the tests of one server share. They run in order. `tokens`: those of the last code exchange. */
type Flow = {
  baseUrl(): string;
  recording: Recording;
  merchantId: string;
  agent: Registered;
  tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>>;
};

/** Tests every flow that Paygrant and openid-client support. openid-client is unmodified and checks each response. */
export const describeOpenidClient = (title: string, baseUrl: () => string, nonces: "offers" | "requires"): void => {
  describe(`openid-client from npm, ${title}`, () => {
    const recording = createRecording();
    const flow = { baseUrl, recording } as Flow;
    beforeAll(async () => {
      flow.merchantId = (await registerMerchant(baseUrl())).merchantId;
    });
    testRegistration(flow);
    describeMandateTokens(flow);
    describeResources(flow);
    testClientCredentials(flow);
    describeEnd(flow);

    test(`the server ${nonces} nonces (RFC 9449 §8, §9)`, () => {
      if (nonces === "requires") expect(recording.nonceDemands()).toBeGreaterThan(1);
      else expect(recording.nonceDemands()).toBe(0);
    });
  });
};

/** Registers a client (RFC 7591). The issuer uses plain http on loopback. */
const register = async (
  { baseUrl, recording }: Flow,
  metadata: Partial<client.ClientMetadata>,
  alg = "ES256",
): Promise<Registered> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: "own", use: "sig" };
  const config = await client.dynamicClientRegistration(
    new URL(baseUrl()),
    { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [jwk] }, ...metadata },
    client.PrivateKeyJwt({ key: privateKey, kid: "own" }),
    {
      algorithm: "oauth2",
      // Verifies the signatures of RFC 9701 responses, although the connection to this server is trusted.
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
      [client.customFetch]: recording.fetch,
    },
  );
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair(alg));
  return { config, DPoP };
};

/** PAR with PKCE, RAR and DPoP, then the consent page. @returns the input for the code's exchange. */
const authorize = async ({ baseUrl, merchantId, agent }: Flow, decision: "approve" | "decline" = "approve") => {
  const { config, DPoP } = agent;
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const url = await client.buildAuthorizationUrlWithPAR(
    config,
    {
      redirect_uri: redirectUri,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
      authorization_details: JSON.stringify([mandateDetails(merchantId)]),
      scope: "grant_management_query grant_management_revoke",
    },
    { DPoP },
  );
  const clientId = url.searchParams.get("client_id") ?? "";
  const requestUri = url.searchParams.get("request_uri") ?? "";
  const answer = await consent(baseUrl(), { clientId, requestUri }, { decision });
  return { callback: new URL(`${redirectUri}?${answer}`), checks: { pkceCodeVerifier, expectedState } };
};

/** Calls a resource with the agent's access token of the last code exchange. */
const call = ({ baseUrl, agent, tokens }: Flow, method: "GET" | "DELETE", path: string): Promise<Response> => {
  const { config, DPoP } = agent;
  const url = new URL(`${baseUrl()}${path}`);
  return client.fetchProtectedResource(config, tokens.access_token, url, method, null, undefined, { DPoP });
};

const mandateIdOf = ({ tokens }: Flow): string => String(tokens.authorization_details?.[0]?.["identifier"]);

const readCharges = (flow: Flow): Promise<Response> =>
  call(flow, "GET", `/oauth/mandates/${mandateIdOf(flow)}/charges`);

const testRegistration = (flow: Flow): void => {
  test("discovers and registers (RFC 8414, RFC 7591)", async () => {
    const { baseUrl } = flow;
    flow.agent = await register(flow, {
      client_name: "openid-client",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token", tokenExchangeGrant],
      dpop_bound_access_tokens: true,
      introspection_signed_response_alg: "ES256",
    });
    const { config } = flow.agent;
    expect(config.serverMetadata().issuer).toBe(baseUrl());
    expect(config.clientMetadata().client_id).toMatch(/^cl_test_/);
    const { client_id: id } = config.clientMetadata();
    const known = await client.discovery(new URL(baseUrl()), id, undefined, client.None(), {
      algorithm: "oauth2",
      execute: [client.allowInsecureRequests],
    });
    expect(known.serverMetadata()).toEqual(config.serverMetadata());
  });
};

const describeMandateTokens = (flow: Flow): void => {
  describe("tokens of a mandate", () => {
    test("gets a mandate: PAR, PKCE, RAR, consent, code, DPoP (RFC 9126, 7636, 9396, 9207, 9449)", async () => {
      const { config, DPoP } = flow.agent;
      const { callback, checks } = await authorize(flow);
      flow.tokens = await client.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
      expect(flow.tokens.token_type).toBe("dpop");
      expect(flow.tokens.authorization_details).toMatchObject([
        { type: "payment_mandate_v1", identifier: expect.stringMatching(/^mdt_/), currency: "EUR" },
      ]);
    });

    test("gets an error with state and iss if the payer declines (RFC 6749 §4.1.2.1, RFC 9207)", async () => {
      const { config, DPoP } = flow.agent;
      const { callback, checks } = await authorize(flow, "decline");
      const exchange = client.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
      await expect(exchange).rejects.toMatchObject({
        code: "OAUTH_AUTHORIZATION_RESPONSE_ERROR",
        error: "access_denied",
      });
    });

    test("refreshes with another key, to which the new token is bound, and gets signed introspection (RFC 9449 §5, RFC 9701)", async () => {
      const { agent, tokens } = flow;
      const DPoP = client.getDPoPHandle(agent.config, await client.randomDPoPKeyPair("ES256"));
      const refreshed = await client.refreshTokenGrant(agent.config, tokens.refresh_token ?? "", undefined, { DPoP });
      expect(refreshed.access_token).not.toBe(tokens.access_token);
      expect(await client.tokenIntrospection(agent.config, refreshed.access_token)).toMatchObject({
        active: true,
        client_id: agent.config.clientMetadata().client_id,
        cnf: { jkt: await DPoP.calculateThumbprint() },
      });
    });
  });
};

const describeResources = (flow: Flow): void => {
  describe("resources and token exchange", () => {
    test("calls a resource with its bound token (RFC 9449 §7)", async () => {
      expect(await (await readCharges(flow)).json()).toEqual({ data: [], has_more: false });
    });

    test("exchanges its token for one merchant's mandate token (RFC 8693)", async () => {
      const { tokens, merchantId } = flow;
      const { config, DPoP } = flow.agent;
      const parameters = {
        subject_token: tokens.access_token,
        subject_token_type: tokenTypeUri("access_token"),
        audience: merchantId,
      };
      const exchanged = await client.genericGrantRequest(config, tokenExchangeGrant, parameters, { DPoP });
      expect(exchanged).toMatchObject({ token_type: "dpop", issued_token_type: tokenTypeUri("access_token") });
      expect(await client.tokenIntrospection(config, exchanged.access_token)).toMatchObject({
        active: true,
        aud: merchantId,
        cnf: { jkt: await DPoP.calculateThumbprint() },
      });
    });

    test("reads what its grant allows (Grant Management for OAuth 2.0)", async () => {
      expect(await (await call(flow, "GET", `/oauth/grants/${flow.tokens["grant_id"]}`)).json()).toMatchObject({
        authorization_details: [{ type: "payment_mandate_v1", identifier: mandateIdOf(flow) }],
      });
    });
  });
};

const testClientCredentials = (flow: Flow): void => {
  test.each(["ES256", "PS256", "Ed25519"])(
    "gets a token for itself, with assertion and proof signed by %s (RFC 6749 §4.4)",
    async (alg) => {
      const metadata = { grant_types: ["client_credentials"], scope: "charges.read mandates.verify" };
      const { config, DPoP } = await register(flow, { client_name: "Shop", ...metadata }, alg);
      const own = await client.clientCredentialsGrant(config, { scope: "charges.read" }, { DPoP });
      expect(own).toMatchObject({ token_type: "dpop", expires_in: 600, scope: "charges.read" });
      const url = new URL(`${flow.baseUrl()}/merchant_test/charges`);
      const token = own.access_token;
      const answer = await client.fetchProtectedResource(config, token, url, "GET", null, undefined, { DPoP });
      expect(answer.status).toBe(200);
    },
  );
};

const describeEnd = (flow: Flow): void => {
  describe("revocation", () => {
    test("revocation ends every token of the grant immediately (RFC 7009)", async () => {
      const { tokens } = flow;
      const { config, DPoP } = flow.agent;
      await client.tokenRevocation(config, tokens.refresh_token ?? "");
      expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
      await expect(readCharges(flow)).rejects.toThrow(client.WWWAuthenticateChallengeError);
      const again = client.refreshTokenGrant(config, tokens.refresh_token ?? "", undefined, { DPoP });
      await expect(again).rejects.toMatchObject({ error: "invalid_grant" });
    });

    test("ends a grant with its own token (Grant Management for OAuth 2.0)", async () => {
      const { config, DPoP } = flow.agent;
      const { callback, checks } = await authorize(flow);
      flow.tokens = await client.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
      expect((await call(flow, "DELETE", `/oauth/grants/${flow.tokens["grant_id"]}`)).status).toBe(204);
      expect(await client.tokenIntrospection(config, flow.tokens.access_token)).toEqual({ active: false });
    });
  });
};
