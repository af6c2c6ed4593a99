import { describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { postJson, send } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { makeKey } from "../../../support/oauth/oauth-client.ts";
import { postAs, registerAgent } from "../../../support/oauth/parties.ts";

const { sandboxUrl, productionUrl } = currentInstance();
const wellKnown = "/.well-known/oauth-authorization-server";
const algorithms = ["ES256", "PS256", "EdDSA", "Ed25519"];

type Metadata = Record<string, string | string[] | boolean>;
const read = async (baseUrl: string) => (await send(`${baseUrl}${wellKnown}`)).json as Metadata;
const listOf = (from: Metadata, name: string): string[] => from[name] as string[];

const metadata = await read(sandboxUrl);
const agent = await registerAgent(sandboxUrl);

describe.each([
  ["production", productionUrl],
  ["sandbox", sandboxUrl],
])("RFC 8414 metadata of %s", (_name, baseUrl) => {
  test("is JSON, public to any origin, and cacheable (§3.2)", async () => {
    const answer = await send(`${baseUrl}${wellKnown}`, { headers: { origin: "https://other.example" } });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("cache-control")).toMatch(/max-age=\d+/);
  });

  test("has an issuer identical to BASE_URL: without an added slash, query or fragment (§2, §3.3)", async () => {
    expect(await read(baseUrl)).toMatchObject({ issuer: baseUrl });
  });

  test("has no member that is an empty list or null (§3.2)", async () => {
    for (const value of Object.values(await read(baseUrl))) {
      expect(value).not.toBeNull();
      expect(value).not.toEqual([]);
    }
  });

  test("lists what FAPI 2.0 and this service require (docs/spec/oauth.md, Metadata)", async () => {
    expect(await read(baseUrl)).toMatchObject({
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: expect.arrayContaining(["authorization_code", "client_credentials", "refresh_token"]),
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
      grant_management_actions_supported: ["create", "query", "revoke", "replace"],
      acr_values_supported: ["urn:paygrant:acr:password", "urn:paygrant:acr:passkey"],
      protected_resources: expect.arrayContaining([baseUrl, `${baseUrl}/merchant_test`]),
    });
  });

  test("lists only Paygrant's own URLs, and none of them responds with 404", async () => {
    const endpoints = Object.entries(await read(baseUrl)).filter(([name]) =>
      /_endpoint$|^jwks_uri$|^service_documentation$/.test(name),
    );
    expect(endpoints.length).toBeGreaterThan(6);
    expect(Object.fromEntries(endpoints)).toMatchObject({ service_documentation: `${baseUrl}/docs` });
    for (const [name, url] of endpoints) {
      expect(String(url).startsWith(`${baseUrl}/`)).toBe(true);
      // A grant's URL is below that of the endpoint (Grant Management §6.3).
      const address = name === "grant_management_endpoint" ? `${url}/grt_any` : String(url);
      expect([200, 400, 401, 405]).toContain((await send(address)).status);
    }
  });

  test("no other well-known URL has metadata: there is one issuer, without a path (§3.1)", async () => {
    for (const path of [`${wellKnown}/other`, `${wellKnown}/`, "/.well-known/openid-configuration"]) {
      expect((await send(`${baseUrl}${path}`)).status).toBe(404);
    }
  });
});

describe("RFC 8414 §2: every list matches the running service", () => {
  const grantTypes = listOf(metadata, "grant_types_supported");
  const requestGrantType = async (grant_type: string) =>
    postAs(agent, "/oauth/token", { form: { grant_type }, dpop: await makeKey() });

  test.each(grantTypes)("the token endpoint supports the grant type %s", async (grantType) => {
    expect((await requestGrantType(grantType)).json?.["error"]).not.toBe("unsupported_grant_type");
  });

  test.each(
    [
      "password",
      "implicit",
      "urn:ietf:params:oauth:grant-type:jwt-bearer",
      "urn:ietf:params:oauth:grant-type:device_code",
      "urn:openid:params:grant-type:ciba",
    ].filter((grantType) => !grantTypes.includes(grantType)),
  )("the token endpoint refuses %s, which isn't listed", async (grantType) => {
    expectOAuthError(await requestGrantType(grantType), 400, "unsupported_grant_type");
  });

  const register = async (scope: string) => {
    const jwks = { keys: [(await makeKey()).publicJwk] };
    const kinds = [
      { grant_types: ["authorization_code"], redirect_uris: ["https://bot.example/cb"] },
      { grant_types: ["client_credentials"] },
    ];
    const answers = await Promise.all(
      kinds.map((kind) => postJson(`${sandboxUrl}/oauth/register`, { ...kind, scope, jwks })),
    );
    return answers.map(({ status }) => status);
  };

  test.each(listOf(metadata, "scopes_supported"))("one kind of client can register the scope %s", async (scope) => {
    expect(await register(scope)).toContain(201);
  });

  test("no client can register a scope that isn't listed", async () => {
    expect(await register("openid")).toEqual([400, 400]);
  });
});
