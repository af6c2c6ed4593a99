import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { attest as attestTo } from "#e2e/support/oauth/software-statement.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { saveForeignKeyList } from "../../data/oauth/foreign-keys.ts";
import { registerEndpoint } from "../../endpoints/oauth/register.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { createInitialAccessToken } from "../initial-tokens/create-initial-access-token.ts";
import { authenticateRegistration } from "./authenticate-registration.ts";
import { replaceClientRegistration } from "./replace-registration.ts";

// e2e/http/rfc/rfc7591*.test.ts tests registrations and refusals. This file has tests that need a clock or a race.

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
const by = { actor: { kind: "system", id: "test" }, requestId: "-" } as const;

describe("in the sandbox", () => {
  let deps: TestDeps;
  beforeAll(async () => {
    deps = await createTestDeps();
  });
  afterAll(() => deps.close());

  test("a client with merchant scopes gets its own test merchant, with category 5999", async () => {
    const { status, body } = await register(deps, await merchantClient());
    expect(status).toBe(201);
    const merchant = await deps.db.prisma.merchant.findUniqueOrThrow({ where: { id: body.merchant_id } });
    expect(merchant).toMatchObject({ mcc: "5999", processor: "simulator" });
  });

  describe("a software statement (RFC 7591 §2.3)", () => {
    const attest = (metadata: Record<string, unknown>) => attestTo(deps, metadata);
    const answerTo = async (software_statement: string) => {
      const { status, body } = await register(deps, await agent({ software_statement }));
      return status === 201 ? body.client_name : [body.error, body.error_description];
    };

    test("takes precedence over the request, and its JWT claims aren't returned", async () => {
      expect(await answerTo(await attest({ client_name: "Verified", iss: "https://x.example", exp: 1 }))).toBe(
        "Verified",
      );
    });

    test("is refused as invalid_software_statement after it has expired", async () => {
      const statement = await attest({ client_name: "Verified" });
      deps.clock.advance(90 * 24 * 3600 - 1);
      expect(await answerTo(statement)).toBe("Verified");
      deps.clock.advance(1);
      expect(await answerTo(statement)).toEqual(["invalid_software_statement", "software_statement: has expired"]);
    });

    test("after it expires, only the client that registered with it can still use it (RFC 7592 §2.2)", async () => {
      const statement = await attest({ client_name: "Verified" });
      const metadata = await agent({ software_statement: statement });
      const { body } = await register(deps, metadata);
      deps.clock.advance(91 * 24 * 3600);
      const info = { requestId: "-", ipAddress: "", userAgent: "" };
      // The token stays valid until the next one is used.
      const authorization = `Bearer ${body.registration_access_token}`;
      const replace = async (software_statement: string) =>
        replaceClientRegistration(deps, {
          caller: await authenticateRegistration(deps, { clientId: body.client_id, authorization, info }),
          metadata: { ...metadata, client_name: "Other", software_statement },
          info,
        });
      const later = await attest({ client_name: "Verified again" });
      const foreign = await attest({ client_name: "Somebody else" });
      expect(await replace(statement)).toMatchObject({ client_name: "Verified", software_statement: statement });
      expect(await replace(later)).toMatchObject({ client_name: "Verified again" });
      deps.clock.advance(91 * 24 * 3600);
      for (const other of [statement, foreign]) {
        await expect(replace(other)).rejects.toMatchObject({ code: "invalid_software_statement" });
      }
    });

    /** Signs with the directory's key by default, so that only the typ differs. */
    const sign = async (typ: string | undefined, purpose: "directory" | "receipt", claims: object = {}) => {
      const key = deps.keys.signingKey(purpose);
      const { jti = "", sub = "" } = decodeJwt(await attest({}));
      const now = Math.floor(deps.clock.now().getTime() / 1000);
      return new SignJWT({
        client_name: "x",
        iss: deps.config.discoveryUrl,
        iat: now,
        exp: now + 60,
        jti,
        sub,
        ...claims,
      })
        .setProtectedHeader({ alg: "ES256", kid: key.kid, ...(typ === undefined ? {} : { typ }) })
        .sign(key.privateKey);
    };
    const typ = "paygrant-software-statement+jwt";

    test("is identified by its exact typ, because the directory's key also signs other JWTs (docs/spec/oauth.md, Signing keys)", async () => {
      expect(await answerTo(await sign(typ, "directory"))).toBe("x");
      for (const other of [undefined, "JWT", "paygrant-key-list+jwt", typ.toUpperCase(), `application/${typ}`]) {
        expect(await answerTo(await sign(other, "directory"))).toContain("invalid_software_statement");
      }
    });

    test("is signed by the directory's key, not by a key of another purpose (docs/spec/oauth.md, Signing keys)", async () => {
      expect(await answerTo(await sign(typ, "receipt"))).toContain("invalid_software_statement");
    });

    test("has an expiry, an issue time and a unique id", async () => {
      const missing = [{ exp: undefined }, { iat: undefined }, { jti: undefined }];
      // RFC 7519 §4.1.4 to §4.1.6
      const wrong = [{ exp: "soon" }, { exp: 1 }, { nbf: 9_999_999_999 }, { nbf: "now" }, { iat: "now" }];
      for (const claims of [...missing, ...wrong]) {
        expect(await answerTo(await sign(typ, "directory", claims))).toContain("invalid_software_statement");
      }
    });
  });
});

describe("in the sandbox, while production runs", () => {
  let deps: TestDeps;
  beforeAll(async () => {
    deps = await createTestDeps({ config: { productionUrl: "http://127.0.0.1:1" } });
  });
  afterAll(() => deps.close());

  test("new keys are refused if production's key list is unknown (docs/spec/oauth.md, Key separation)", async () => {
    const { status, body } = await register(deps, await agent());
    expect([status, body.error]).toEqual([503, "temporarily_unavailable"]);
  });

  test("a key on production's list is refused in any encoding", async () => {
    const { calculateJwkThumbprint } = await import("jose");
    const { sha256Base64url } = await import("../../kernel/crypto/hash.ts");
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
      "jwks: contains a key that is used in production: use a separate key",
    ]);
    const unusable = { kty: "OKP", crv: "X25519", x: "A".repeat(43) };
    const beside = await register(deps, await agent({ jwks: { keys: [unusable, known.publicJwk] } }));
    expect([beside.status, beside.body.error_description]).toEqual([
      400,
      "jwks: contains a key that is used in production: use a separate key",
    ]);
    expect((await register(deps, await agent())).status).toBe(201);
  });
});

describe("an initial access token (RFC 7591 §3)", () => {
  let deps: TestDeps;
  beforeAll(async () => {
    deps = await createTestDeps({ config: { environment: "production" } });
  });
  afterAll(() => deps.close());

  const all = (attempts: number, metadata: () => Promise<object>, token: string) =>
    Promise.all(Array.from({ length: attempts }, async () => register(deps, await metadata(), token)));

  test.each([1, 7])("allows exactly its number of registrations, %d, under fifty concurrent requests", async (uses) => {
    const { token } = await createInitialAccessToken(deps, { kind: "agent", merchantId: null, uses, ...by });
    const answers = await all(50, agent, token);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(uses);
    const refused = answers.filter(({ status }) => status === 401);
    expect(refused).toHaveLength(50 - uses);
    for (const { body } of refused) {
      expect(body).toEqual({ error: "invalid_token", error_description: "the initial access token has been used up" });
    }
    const rows = await deps.db.prisma.initialAccessToken.findMany({ where: { usesLeft: { lt: 0 } } });
    expect(rows).toEqual([]);
  });

  test("belongs to one merchant, and so do the clients registered with it", async () => {
    const merchant = await makeMerchant(deps);
    const made = { kind: "merchant", merchantId: merchant.id, scopes: ["mandates.verify"], uses: 3, ...by } as const;
    const { token } = await createInitialAccessToken(deps, made);
    const narrow = () => merchantClient({ scope: "mandates.verify" });
    for (const { status, body } of await all(3, narrow, token)) {
      expect([status, body.merchant_id]).toEqual([201, merchant.id]);
    }
  });

  test("is refused as expired after it has expired, even if it has uses left", async () => {
    const { token } = await createInitialAccessToken(deps, { kind: "agent", merchantId: null, ttlSeconds: 60, ...by });
    deps.clock.advance(59);
    expect((await register(deps, await agent({ scope: "?" }), token)).status).toBe(400);
    deps.clock.advance(1);
    const { status, body } = await register(deps, await agent(), token);
    expect([status, body.error_description]).toEqual([401, "the initial access token has expired"]);
  });

  test.each([
    [{ kind: "agent", merchantId: "mch_x" }, "invalid_request"],
    [{ kind: "merchant", merchantId: null }, "invalid_request"],
    [{ kind: "agent", merchantId: null, scopes: ["charges.read"] }, "invalid_scope"],
    [{ kind: "merchant", merchantId: "mch_unknown" }, "not_found"],
    [{ kind: "agent", merchantId: null, uses: 0 }, "invalid_request"],
    [{ kind: "agent", merchantId: null, uses: 1.5 }, "invalid_request"],
    [{ kind: "agent", merchantId: null, uses: 1001 }, "invalid_request"],
    [{ kind: "agent", merchantId: null, ttlSeconds: 0 }, "invalid_request"],
    [{ kind: "agent", merchantId: null, ttlSeconds: 91 * 24 * 3600 }, "invalid_request"],
  ] as const)("can't be created for %j", async (input, code) => {
    await expect(createInitialAccessToken(deps, { ...input, ...by })).rejects.toMatchObject({ code });
  });
});
