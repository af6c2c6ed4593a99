import { exportJWK, generateKeyPair } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../support/error-shape.ts";
import { currentInstance } from "../../support/instance.ts";
import { makeKey, type Signer } from "../../support/oauth-client.ts";
import { makeInitialAccessToken } from "../../support/parties.ts";
import { postJson } from "../../support/wire.ts";

const { sandboxUrl, productionUrl } = currentInstance();
let key: Signer;
beforeAll(async () => {
  key = await makeKey();
});

const register = (metadata: object, headers: Record<string, string> = {}, baseUrl = sandboxUrl) =>
  postJson(
    `${baseUrl}/oauth/register`,
    { redirect_uris: ["https://bot.example/cb"], jwks: { keys: [key.publicJwk] }, ...metadata },
    headers,
  );

describe("RFC 7591 §3.2.1: the answer tells all that was registered", () => {
  test("an agent, defaults included, never cached", async () => {
    const answer = await register({ client_name: "Grocer Bot", unknown_member: 1, client_uri: "https://bot.example" });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json).toMatchObject({
      client_id: expect.stringMatching(/^cl_test_/),
      client_id_issued_at: expect.any(Number),
      client_name: "Grocer Bot",
      client_uri: "https://bot.example",
      redirect_uris: ["https://bot.example/cb"],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "private_key_jwt",
      scope: "grant_management_query grant_management_revoke",
      dpop_bound_access_tokens: true,
      jwks: { keys: [expect.objectContaining({ kty: "EC", kid: "test" })] },
    });
    expect(answer.json).not.toHaveProperty("unknown_member");
    expect(answer.json).not.toHaveProperty("client_secret");
    expect(answer.json).not.toHaveProperty("merchant_id");
  });

  test("a merchant's client gets a test merchant in the sandbox (1-oauth, Register)", async () => {
    const answer = await register({
      grant_types: ["client_credentials"],
      scope: "charges.write",
      redirect_uris: undefined,
    });
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({
      merchant_id: expect.stringMatching(/^mch_/),
      scope: "charges.write",
      response_types: [],
    });
    expect(answer.json).not.toHaveProperty("redirect_uris");
  });

  test("dpop_bound_access_tokens may be false in the sandbox", async () => {
    expect((await register({ dpop_bound_access_tokens: false })).json).toMatchObject({
      dpop_bound_access_tokens: false,
    });
  });
});

describe("RFC 7591 §3.2.2: a bad value names itself", () => {
  const rows: [string, object][] = [
    ["token_endpoint_auth_method", { token_endpoint_auth_method: "client_secret_basic" }],
    ["token_endpoint_auth_method", { token_endpoint_auth_method: "none" }],
    ["token_endpoint_auth_signing_alg", { token_endpoint_auth_signing_alg: "RS256" }],
    ["grant_types", { grant_types: ["password"] }],
    ["grant_types", { grant_types: ["implicit"] }],
    ["grant_types", { grant_types: [] }],
    ["grant_types", { grant_types: "authorization_code" }],
    ["grant_types", { grant_types: ["refresh_token"] }],
    ["response_types", { response_types: ["token"] }],
    ["client_name", { client_name: "n".repeat(201) }],
    ["client_name", { client_name: 7 }],
    ["client_name", { client_name: "Bank\u202eknab" }],
    ["logo_uri", { logo_uri: "javascript:alert(1)" }],
    ["client_uri", { client_uri: "http://bot.example" }],
    ["scope", { scope: "everything" }],
    ["scope", { scope: "charges.write grant_management_query" }],
    ["dpop_bound_access_tokens", { dpop_bound_access_tokens: "true" }],
    ["authorization_details_types", { authorization_details_types: ["openid_credential"] }],
    ["jwks", { jwks: undefined }],
    ["jwks", { jwks: { keys: [] } }],
    ["jwks", { jwks: { keys: [{ kty: "oct", k: "c2VjcmV0" }] } }],
    ["jwks", { jwks: { keys: [{ kty: "EC", crv: "P-384", x: "AA", y: "AA" }] } }],
    ["jwks", { jwks: { keys: [{ kty: "EC", crv: "P-256", x: "AA", y: "AA" }] } }],
    ["jwks", { jwks: { keys: ["key"] } }],
    ["client_id", { client_id: "cl_test_mine" }],
  ];
  test.each(rows)("%s: %j", async (member, metadata) => {
    const answer = await register(metadata);
    expectOAuthError(answer, 400, "invalid_client_metadata");
    expect(answer.json?.["error_description"]).toContain(member);
  });

  test("jwks with a private key, two equal kids, or a short RSA key", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const [one, other, short] = [
      await makeKey("same"),
      await makeKey("same"),
      await generateKeyPair("RS256", { extractable: true }),
    ];
    const rsa = await exportJWK(short.publicKey);
    for (const keys of [
      [await exportJWK(privateKey)],
      [one.publicJwk, other.publicJwk],
      [
        {
          ...rsa,
          n: Buffer.from(rsa.n ?? "", "base64url")
            .subarray(0, 128)
            .toString("base64url"),
        },
      ],
    ]) {
      expectOAuthError(await register({ jwks: { keys } }), 400, "invalid_client_metadata");
    }
  });
});

describe("redirect_uris: invalid_redirect_uri (RFC 7591 §3.2.2, RFC 9700 §4.1.3)", () => {
  const bad = [
    "http://bot.example/cb",
    "https://bot.example/cb#fragment",
    "https://bot.example/cb#",
    "/cb",
    "bot.example/cb",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://localhost/cb",
    "http://127.0.0.1.evil.example/cb",
    "https://user:pass@bot.example/cb",
    " https://bot.example/cb",
    "https://bot.example/cb\u0000",
    "https://bot.example/ä",
    "",
    "https://",
  ];
  test.each(bad)("%j", async (uri) => {
    const answer = await register({ redirect_uris: [uri] });
    expectOAuthError(answer, 400, /^invalid_(redirect_uri|request)$/);
  });
  test("none, and more than 20", async () => {
    for (const redirect_uris of [
      [],
      undefined,
      Array.from({ length: 21 }, (_, index) => `https://bot.example/${index}`),
    ]) {
      expectOAuthError(await register({ redirect_uris }), 400, "invalid_redirect_uri");
    }
  });
  test.each(["https://bot.example/cb?a=b", "http://127.0.0.1:8080/cb", "http://[::1]/cb"])(
    "%s is accepted",
    async (uri) => {
      expect((await register({ redirect_uris: [uri] })).json).toMatchObject({ redirect_uris: [uri] });
    },
  );
});

describe("production wants an initial access token (RFC 7591 §3)", () => {
  test.each(["", "Bearer made-up", "Basic dTpw"])("%j is 401", async (authorization) => {
    const answer = await register({}, authorization ? { authorization } : {}, productionUrl);
    expectOAuthError(answer, 401, "invalid_token");
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
  });

  test("one fixes owner, kind and the widest scope", async () => {
    const { token, merchantId } = await makeInitialAccessToken("production", "merchant");
    const headers = { authorization: `Bearer ${token}` };
    const merchantOnly = { redirect_uris: undefined, grant_types: ["client_credentials"] };
    const answer = await register(merchantOnly, headers, productionUrl);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).toMatchObject({ client_id: expect.stringMatching(/^cl_live_/), merchant_id: merchantId });
    expectOAuthError(await register({}, headers, productionUrl), 400, "invalid_client_metadata");
    expectOAuthError(
      await register({ ...merchantOnly, scope: "refunds.write" }, headers, productionUrl),
      400,
      "invalid_client_metadata",
    );
  });

  test("an agent can't choose Bearer there", async () => {
    const { token } = await makeInitialAccessToken("production", "agent");
    const answer = await register(
      { dpop_bound_access_tokens: false },
      { authorization: `Bearer ${token}` },
      productionUrl,
    );
    expectOAuthError(answer, 400, "invalid_client_metadata");
  });
});
