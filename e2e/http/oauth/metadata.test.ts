import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { currentInstance } from "../../support/instance.ts";
import { clientToken, registerMerchant } from "../../support/parties.ts";
import { send } from "../../support/wire.ts";

const { sandboxUrl, productionUrl } = currentInstance();
const algorithms = ["ES256", "PS256", "EdDSA"];

describe.each([
  ["production", productionUrl],
  ["sandbox", sandboxUrl],
])("RFC 8414 metadata of %s", (_name, baseUrl) => {
  const read = async () => (await send(`${baseUrl}/.well-known/oauth-authorization-server`)).json ?? {};

  test("issuer is identical to BASE_URL (§3.3)", async () => {
    expect(await read()).toMatchObject({ issuer: baseUrl });
  });

  test("says what FAPI 2.0 and this service demand", async () => {
    expect(await read()).toMatchObject({
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "client_credentials", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      require_pushed_authorization_requests: true,
      authorization_response_iss_parameter_supported: true,
      authorization_details_types_supported: ["payment_mandate_v1"],
      dpop_signing_alg_values_supported: algorithms,
      token_endpoint_auth_methods_supported: ["private_key_jwt"],
      revocation_endpoint_auth_methods_supported: ["private_key_jwt"],
      introspection_endpoint_auth_methods_supported: ["private_key_jwt"],
      token_endpoint_auth_signing_alg_values_supported: algorithms,
      revocation_endpoint_auth_signing_alg_values_supported: algorithms,
      introspection_endpoint_auth_signing_alg_values_supported: algorithms,
      grant_management_actions_supported: expect.arrayContaining(["create"]),
      acr_values_supported: expect.arrayContaining(["urn:paygrant:acr:password"]),
      protected_resources: [baseUrl, `${baseUrl}/merchant_test`],
    });
  });

  test("every address in it is one of ours and answers something else than 404", async () => {
    const endpoints = Object.entries(await read()).filter(([name]) =>
      /_endpoint$|^jwks_uri$|^service_documentation$/.test(name),
    );
    expect(endpoints.length).toBeGreaterThan(6);
    for (const [, url] of endpoints) {
      expect(String(url).startsWith(`${baseUrl}/`)).toBe(true);
      expect([200, 400, 405]).toContain((await send(String(url))).status);
    }
  });

  test("each protected resource has metadata at its well-known address (RFC 9728 §3)", async () => {
    for (const resource of (await read())["protected_resources"] as string[]) {
      const suffix = resource === baseUrl ? "" : new URL(resource).pathname;
      const answer = await send(`${baseUrl}/.well-known/oauth-protected-resource${suffix}`);
      expect(answer.json).toMatchObject({
        resource,
        authorization_servers: [baseUrl],
        bearer_methods_supported: ["header"],
      });
    }
  });

  test("is public: any origin may read it", async () => {
    const answer = await send(`${baseUrl}/.well-known/oauth-authorization-server`, {
      headers: { origin: "https://other.example" },
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("cache-control")).toMatch(/max-age=\d+/);
  });
});

describe("RFC 7517: /.well-known/jwks.json", () => {
  test("public keys with distinct kids; a cache keeps them for 5 minutes at the most (1-oauth, Keys)", async () => {
    const answer = await send(`${sandboxUrl}/.well-known/jwks.json`);
    const { keys } = answer.json as unknown as JSONWebKeySet;
    expect(keys.length).toBeGreaterThanOrEqual(4);
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
      expect(Object.keys(key)).not.toContain("d");
    }
    expect(Number(/max-age=(\d+)/.exec(answer.headers.get("cache-control") ?? "")?.[1])).toBeLessThanOrEqual(300);
  });

  test("production and sandbox have no key in common", async () => {
    const kids = async (baseUrl: string) =>
      ((await send(`${baseUrl}/.well-known/jwks.json`)).json as unknown as JSONWebKeySet).keys.map(({ x }) => x);
    const [ours, theirs] = [await kids(sandboxUrl), await kids(productionUrl)];
    expect(ours.filter((x) => theirs.includes(x))).toEqual([]);
  });

  test("an access token verifies from metadata alone (RFC 9068 §4)", async () => {
    const token = await clientToken(await registerMerchant(sandboxUrl));
    const jwks = (await send(`${sandboxUrl}/.well-known/jwks.json`)).json as unknown as JSONWebKeySet;
    const { payload } = await jwtVerify(token, createLocalJWKSet(jwks), {
      issuer: sandboxUrl,
      audience: `${sandboxUrl}/merchant_test`,
      typ: "at+jwt",
      algorithms: ["ES256"],
      requiredClaims: ["sub", "client_id", "iat", "exp", "jti", "scope"],
    });
    expect(payload).toMatchObject({ env: "sandbox", sub: payload["client_id"] });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(600);
  });
});
