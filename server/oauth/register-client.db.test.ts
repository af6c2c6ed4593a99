import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { saveForeignKeyList } from "../data/foreign-keys.ts";
import { provideDeps } from "../http/runtime.ts";
import { mount } from "../http/serve.ts";
import { createInitialAccessToken } from "./create-initial-access-token.ts";
import { registerEndpoint } from "./endpoints/register.ts";

const { POST } = mount(registerEndpoint);

const register = async (deps: TestDeps, metadata: unknown, token?: string) => {
  provideDeps(deps);
  const response = await POST(
    new Request(`${deps.config.baseUrl}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(metadata),
    }),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
};

const agent = async (extra: object = {}) => ({
  client_name: "Grocer Bot",
  redirect_uris: ["http://127.0.0.1/callback"],
  jwks: { keys: [(await makeKey()).publicJwk] },
  ...extra,
});
const merchantClient = async (extra: object = {}) => ({
  client_name: "Fresh Market",
  grant_types: ["client_credentials"],
  scope: "charges.write mandates.verify",
  jwks: { keys: [(await makeKey()).publicJwk] },
  ...extra,
});

describe("in the sandbox", () => {
  let deps: TestDeps;
  beforeAll(async () => {
    deps = await createTestDeps();
  });
  afterAll(() => deps.close());

  test("anybody registers an agent; everything is echoed, defaults included (RFC 7591 §3.2.1)", async () => {
    const { status, headers, body } = await register(deps, await agent());
    expect(status).toBe(201);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toMatchObject({
      client_name: "Grocer Bot",
      token_endpoint_auth_method: "private_key_jwt",
      grant_types: ["authorization_code"],
      response_types: ["code"],
      scope: "grant_management_query grant_management_revoke",
      dpop_bound_access_tokens: true,
      authorization_details_types: ["payment_mandate_v1"],
    });
    expect(body.client_id).toMatch(/^cl_test_/);
    expect(body.merchant_id).toBeUndefined();
    expect(body.jwks.keys[0].kid).toBe("test");
  });

  test("a client with merchant scopes gets a test merchant of its own, category 5999", async () => {
    const { status, body } = await register(deps, await merchantClient());
    expect(status).toBe(201);
    expect(body.merchant_id).toMatch(/^mch_/);
    expect(body.dpop_bound_access_tokens).toBe(false);
    const merchant = await deps.db.prisma.merchant.findUniqueOrThrow({ where: { id: body.merchant_id } });
    expect(merchant).toMatchObject({ mcc: "5999", processor: "simulator" });
  });

  test.each<[string, () => Promise<object>, string, RegExp]>([
    [
      "a secret",
      () => agent({ token_endpoint_auth_method: "client_secret_basic" }),
      "invalid_client_metadata",
      /^token_endpoint_auth_method/,
    ],
    ["both kinds at once", () => agent({ scope: "charges.write" }), "invalid_client_metadata", /^scope/],
    ["a malformed scope", () => agent({ scope: 'a"b' }), "invalid_client_metadata", /^scope/],
    ["an unknown scope", () => agent({ scope: "openid" }), "invalid_client_metadata", /^scope/],
    ["an unknown grant type", () => agent({ grant_types: ["implicit"] }), "invalid_client_metadata", /^grant_types/],
    ["no redirect_uris", () => agent({ redirect_uris: [] }), "invalid_redirect_uri", /^redirect_uris/],
    ["a fragment", () => agent({ redirect_uris: ["https://a.example/#x"] }), "invalid_redirect_uri", /fragment/],
    [
      "http elsewhere than loopback IPs",
      () => agent({ redirect_uris: ["http://localhost/cb"] }),
      "invalid_redirect_uri",
      /loopback/,
    ],
    [
      "a script address",
      () => agent({ redirect_uris: ["javascript:alert(1)"] }),
      "invalid_redirect_uri",
      /^redirect_uris/,
    ],
    [
      "21 redirect_uris",
      () => agent({ redirect_uris: Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`) }),
      "invalid_redirect_uri",
      /1 to 20/,
    ],
    [
      "a name of 201 characters",
      () => agent({ client_name: "x".repeat(201) }),
      "invalid_client_metadata",
      /^client_name/,
    ],
    [
      "an RSA exponent of 1",
      () => agent({ jwks: { keys: [{ kty: "RSA", e: "AQ", n: Buffer.alloc(256, 255).toString("base64url") }] } }),
      "invalid_client_metadata",
      /exponent/,
    ],
    [
      "an Ed25519 key of small order",
      () => agent({ jwks: { keys: [{ kty: "OKP", crv: "Ed25519", x: Buffer.alloc(32).toString("base64url") }] } }),
      "invalid_client_metadata",
      /anybody can sign/,
    ],
    [
      "a name that turns the text around",
      () => agent({ client_name: "Bank\u202e" }),
      "invalid_client_metadata",
      /^client_name/,
    ],
    ["no keys", () => agent({ jwks: { keys: [] } }), "invalid_client_metadata", /^jwks/],
    [
      "a private key",
      () => agent({ jwks: { keys: [{ kty: "EC", crv: "P-256", x: "a", y: "a", d: "a" }] } }),
      "invalid_client_metadata",
      /private/,
    ],
    [
      "a symmetric key",
      () => agent({ jwks: { keys: [{ kty: "oct", k: "a" }] } }),
      "invalid_client_metadata",
      /private or symmetric/,
    ],
    [
      "a point off the curve",
      () => agent({ jwks: { keys: [{ kty: "EC", crv: "P-256", x: "AAAA", y: "AAAA" }] } }),
      "invalid_client_metadata",
      /can't be used/,
    ],
    [
      "an RSA key of 1024 bits",
      () => agent({ jwks: { keys: [{ kty: "RSA", e: "AQAB", n: Buffer.alloc(128, 255).toString("base64url") }] } }),
      "invalid_client_metadata",
      /2048/,
    ],
    ["jwks_uri", () => agent({ jwks_uri: "https://a.example/jwks" }), "invalid_client_metadata", /^jwks_uri/],
    ["a body that is a list", async () => [], "invalid_client_metadata", /object/],
  ])("refuses %s, naming the member", async (_title, metadata, error, description) => {
    const { status, body } = await register(deps, await metadata());
    expect([status, body.error]).toEqual([400, error]);
    expect(body.error_description).toMatch(description);
  });

  test("refuses two keys with one kid", async () => {
    const keys = [(await makeKey("a")).publicJwk, (await makeKey("a")).publicJwk];
    expect((await register(deps, await agent({ jwks: { keys } }))).body.error).toBe("invalid_client_metadata");
  });
});

describe("in the sandbox, beside production", () => {
  let deps: TestDeps;
  beforeAll(async () => {
    deps = await createTestDeps({ config: { productionUrl: "http://127.0.0.1:1" } });
  });
  afterAll(() => deps.close());

  test("without production's list of the last 24 h new keys are refused (1-oauth, Keys)", async () => {
    const { status, body } = await register(deps, await agent());
    expect([status, body.error]).toEqual([503, "temporarily_unavailable"]);
  });

  test("a key that production knows is refused, however it is encoded", async () => {
    const { calculateJwkThumbprint } = await import("jose");
    const { sha256Base64url } = await import("../kernel/hash.ts");
    const known = await makeKey();
    const thumbprintHashes = [sha256Base64url(await calculateJwkThumbprint(known.publicJwk))];
    await deps.db.transaction((tx) =>
      saveForeignKeyList(tx, { thumbprintHashes, issuedAt: deps.clock.now(), jwks: { keys: [] } }),
    );
    const refused = await register(
      deps,
      await agent({ jwks: { keys: [{ ...known.publicJwk, kid: "another", extra: 1 }] } }),
    );
    expect([refused.status, refused.body.error_description]).toEqual([
      400,
      "jwks: holds a key that is used in production",
    ]);
    expect((await register(deps, await agent())).status).toBe(201);
  });
});

describe("in production", () => {
  let deps: TestDeps;
  beforeAll(async () => {
    deps = await createTestDeps({ config: { environment: "production" } });
  });
  afterAll(() => deps.close());

  test("an initial access token is required", async () => {
    const none = await register(deps, await merchantClient());
    expect([none.status, none.body.error]).toEqual([401, "invalid_token"]);
    expect(none.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect((await register(deps, await merchantClient(), "unknown")).status).toBe(401);
  });

  test("it fixes kind, merchant and widest scope, and is used up", async () => {
    const merchant = await makeMerchant(deps);
    const { token } = await createInitialAccessToken(deps, {
      kind: "merchant",
      merchantId: merchant.id,
      scopes: ["mandates.verify"],
      actor: { kind: "system", id: "test" },
      requestId: "-",
    });
    expect((await register(deps, await agent(), token)).status).toBe(400);
    expect((await register(deps, await merchantClient(), token)).body.error_description).toMatch(/^scope/);
    const attempts = await Promise.all(
      Array.from({ length: 10 }, async () => register(deps, await merchantClient({ scope: "mandates.verify" }), token)),
    );
    expect(attempts.filter(({ status }) => status === 201)).toHaveLength(1);
    const made = attempts.find(({ status }) => status === 201)?.body;
    expect(made.merchant_id).toBe(merchant.id);
    expect(made.client_id).toMatch(/^cl_live_/);
  });

  test("an agent may not choose bearer tokens", async () => {
    const { token } = await createInitialAccessToken(deps, {
      kind: "agent",
      merchantId: null,
      actor: { kind: "system", id: "t" },
      requestId: "-",
    });
    const answer = await register(deps, await agent({ dpop_bound_access_tokens: false }), token);
    expect(answer.body.error_description).toMatch(/^dpop_bound_access_tokens/);
  });

  test("an expired one is refused", async () => {
    const { token } = await createInitialAccessToken(deps, {
      kind: "agent",
      merchantId: null,
      ttlSeconds: 60,
      actor: { kind: "system", id: "t" },
      requestId: "-",
    });
    deps.clock.advance(60);
    expect((await register(deps, await agent(), token)).status).toBe(401);
  });
});
