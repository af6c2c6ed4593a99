import { exportJWK, generateKeyPair } from "jose";
import * as client from "openid-client";
import { mandateDetails } from "../../support/oauth/mandate-flow.ts";
import { registerMerchant } from "../../support/oauth/parties.ts";
import { expect, test } from "../fixtures.ts";
import { openAgentSite } from "./consent-request.ts";

test("openid-client, unchanged from npm, completes the whole flow: registration, PAR, PKCE, DPoP, private_key_jwt, RAR, refresh, introspection, revocation", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const merchant = await registerMerchant(sandboxUrl);
  const site = await openAgentSite();
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const kid = "agent-1";

  // Registers a client (RFC 7591). The issuer uses plain http on loopback.
  const config = await client.dynamicClientRegistration(
    new URL(sandboxUrl),
    {
      client_name: "openid-client",
      redirect_uris: [site.redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "private_key_jwt",
      dpop_bound_access_tokens: true,
      jwks: { keys: [{ ...(await exportJWK(publicKey)), kid, use: "sig", alg: "ES256" }] },
    },
    client.PrivateKeyJwt({ key: privateKey, kid }),
    { algorithm: "oauth2", execute: [client.allowInsecureRequests] },
  );
  expect(config.serverMetadata().issuer).toBe(sandboxUrl);
  expect(config.clientMetadata().client_id).toMatch(/^cl_test_/);

  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair("ES256"));
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const url = await client.buildAuthorizationUrlWithPAR(
    config,
    {
      redirect_uri: site.redirectUri,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
      authorization_details: JSON.stringify([mandateDetails(merchant.merchantId)]),
    },
    { DPoP },
  );
  expect([...url.searchParams.keys()].sort()).toEqual(["client_id", "request_uri"]);

  await page.goto(url.href);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();

  // Checks state, and iss by RFC 9207, which our metadata announces.
  const tokens = await client.authorizationCodeGrant(
    config,
    new URL(page.url()),
    { pkceCodeVerifier, expectedState },
    undefined,
    { DPoP },
  );
  expect(tokens.token_type).toBe("dpop");
  expect(tokens.authorization_details).toMatchObject([
    { type: "payment_mandate_v1", identifier: expect.stringMatching(/^mdt_/), currency: "EUR" },
  ]);
  const mandateId = String(tokens.authorization_details?.[0]?.["identifier"]);

  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "", undefined, { DPoP });
  expect(refreshed.access_token).not.toBe(tokens.access_token);
  expect(await client.tokenIntrospection(config, refreshed.access_token)).toMatchObject({
    active: true,
    client_id: config.clientMetadata().client_id,
    cnf: { jkt: await DPoP.calculateThumbprint() },
  });

  const charges = new URL(`${sandboxUrl}/oauth/mandates/${mandateId}/charges`);
  const read = () =>
    client.fetchProtectedResource(config, refreshed.access_token, charges, "GET", null, undefined, { DPoP });
  expect(await (await read()).json()).toEqual({ data: [], has_more: false });

  await client.tokenRevocation(config, tokens.refresh_token ?? "");
  expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });
  await expect(read()).rejects.toThrow(client.WWWAuthenticateChallengeError);
  await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? "", undefined, { DPoP })).rejects.toMatchObject(
    {
      error: "invalid_grant",
    },
  );
  site.close();
});
