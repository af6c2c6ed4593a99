import { exportJWK, generateKeyPair, type JWK } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { postJson, send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { makeKey, type Signer } from "../../../support/oauth/oauth-client.ts";
import { clientToken, registerMerchant } from "../../../support/oauth/parties.ts";
import { type KeyServer, startKeyServer } from "../../../support/peers/key-server.ts";

const { sandboxUrl } = currentInstance();
let key: Signer;
let keyServer: KeyServer;
beforeAll(async () => {
  key = await makeKey();
  keyServer = await startKeyServer();
});
afterAll(() => keyServer.close());

const register = (metadata: object) =>
  postJson(`${sandboxUrl}/oauth/register`, { redirect_uris: ["https://bot.example/cb"], ...metadata });
const merchantOnly = { redirect_uris: undefined, grant_types: ["client_credentials"] };

describe("jwks: accepts public keys with unique kids: P-256, Ed25519, or RSA of 2048 to 4096 bits (docs/spec/oauth.md, Client keys)", () => {
  const publicKey = async (alg: string, options: object = {}): Promise<JWK> =>
    exportJWK((await generateKeyPair(alg, { extractable: true, ...options })).publicKey);
  const refused = async (...keys: object[]): Promise<string> => {
    const answer = await register({ jwks: { keys } });
    expectOAuthError(answer, 400, "invalid_client_metadata");
    return String(answer.json?.["error_description"]);
  };
  const paddedModulus = (n: string | undefined, zeroBytes: number, keptBytes: number): string =>
    Buffer.concat([Buffer.alloc(zeroBytes), Buffer.from(n ?? "", "base64url").subarray(0, keptBytes)]).toString(
      "base64url",
    );

  test.each(["ES256", "PS256", "EdDSA", "Ed25519"])("accepts a key for %s", async (alg) => {
    const jwk = { ...(await publicKey(alg)), alg };
    expect((await register({ jwks: { keys: [jwk] } })).json).toMatchObject({ jwks: { keys: [jwk] } });
  });

  test("refuses a key that contains any private member (RFC 7518 §6)", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const rsa = await exportJWK((await generateKeyPair("PS256", { extractable: true })).privateKey);
    expect(await refused(await exportJWK(privateKey))).toMatch(/^jwks: .*private/);
    const { kty, n, e } = rsa;
    for (const member of ["d", "p", "q", "dp", "dq", "qi"] as const) {
      expect(await refused({ kty, n, e, [member]: rsa[member] })).toMatch(/^jwks: .*private/);
    }
  });

  test("refuses a key whose use or key_ops doesn't allow it to verify signatures (RFC 7517 §4.2, §4.3)", async () => {
    const { publicJwk } = await makeKey();
    for (const purpose of [{ use: "enc" }, { key_ops: ["encrypt"] }, { key_ops: "verify" }]) {
      expect(await refused({ ...publicJwk, ...purpose })).toMatch(/not for signatures/);
    }
    expect((await register({ jwks: { keys: [{ ...publicJwk, key_ops: ["verify"] }] } })).status).toBe(201);
  });

  test("refuses two equal kids, and several keys without kids (RFC 7517 §4.5)", async () => {
    const [one, other] = [await makeKey("same"), await makeKey("same")];
    expect(await refused(one.publicJwk, other.publicJwk)).toMatch(/kid/);
    expect(await refused(await publicKey("ES256"), await publicKey("ES256"))).toMatch(/kid/);
    expect(await refused({ ...one.publicJwk, kid: 7 })).toMatch(/kid/);
  });

  test("refuses a short RSA key, even with leading zeros (RFC 7518 §3.5)", async () => {
    const rsa = await publicKey("PS256");
    expect(await refused({ ...rsa, n: paddedModulus(rsa.n, 0, 128) })).toMatch(/2048/);
    expect(await refused({ ...rsa, n: paddedModulus(rsa.n, 256, 128) })).toMatch(/2048/);
  });

  test("refuses an RSA key over 4096 bits, because its signatures are too expensive to verify", async () => {
    const n = (bits: number) => Buffer.alloc(bits / 8, 255).toString("base64url");
    expect(await refused({ kty: "RSA", e: "AQAB", n: n(4104) })).toMatch(/4096/);
    const longest = await register({ jwks: { keys: [{ kty: "RSA", e: "AQAB", n: n(4096) }] } });
    expect(longest.status, longest.text).toBe(201);
  });

  test.each([
    ["AQ", /odd number above 65536/],
    ["Ag", /odd number above 65536/],
    [Buffer.alloc(64, 255).toString("base64url"), /large/],
  ])("refuses an RSA exponent that makes signatures forgeable or too expensive to verify: %s", async (e, problem) => {
    expect(await refused({ ...(await publicKey("PS256")), e })).toMatch(problem);
  });

  test("refuses an Ed25519 key of small order, for which signatures can be forged (RFC 8032 §5.1.7)", async () => {
    expect(await refused({ kty: "OKP", crv: "Ed25519", x: Buffer.alloc(32).toString("base64url") })).toMatch(
      /small order/,
    );
  });

  test.each([{ use: "enc" }, { alg: "RS256" }, { alg: "ES384" }, { alg: "ECDH-ES" }])(
    "refuses a key for another use or with an unsupported alg: %j (RFC 7517 §4.2, §4.4)",
    async (members) => {
      expect(await refused({ ...key.publicJwk, ...members })).toMatch(/^jwks: a key/);
    },
  );

  describe("ignores unsupported keys when there is a supported one (RFC 7517 §5)", () => {
    const ignored: [string, (own: JWK) => object][] = [
      ["X25519", () => ({ kty: "OKP", crv: "X25519", x: "A".repeat(43), use: "enc" })],
      ["Ed448", () => ({ kty: "OKP", crv: "Ed448", x: "A".repeat(76) })],
      ["P-384", () => ({ kty: "EC", crv: "P-384", x: "A".repeat(64), y: "A".repeat(64) })],
      ["RS256", () => ({ kty: "RSA", e: "AQAB", n: Buffer.alloc(256, 255).toString("base64url"), alg: "RS256" })],
      ["RSA of 1024 bits", () => ({ kty: "RSA", e: "AQAB", n: Buffer.alloc(128, 255).toString("base64url") })],
      ["a post-quantum key", () => ({ kty: "AKP", alg: "ML-DSA-44", pub: "AAAA" })],
      ["an unknown kty", () => ({ kty: "new", kid: 12 })],
      ["a key for encryption", (own) => ({ ...own, use: "enc" })],
      ["a key whose key_ops is encrypt", (own) => ({ ...own, use: undefined, key_ops: ["encrypt"] })],
      ["a point that isn't on the curve", (own) => ({ ...own, y: own.x })],
      ["a P-256 key without y", (own) => ({ ...own, y: undefined })],
    ];
    test.each(ignored)("%s", async (_name, make) => {
      const own = await makeKey();
      const keys = [make((await makeKey("other")).publicJwk), own.publicJwk];
      const client = await registerMerchant(sandboxUrl, { key: own, metadata: { jwks: { keys } } });
      // The response contains the stored keys, so that the client sees which keys are used.
      expect(client.registration["jwks"]).toEqual({ keys: [own.publicJwk] });
      expect(await clientToken(client)).toMatch(/^ey/);
      const { registration_client_uri: uri, registration_access_token: token } = client.registration;
      const changed = await send(String(uri), {
        method: "PUT",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ ...client.registration, jwks: { keys: keys.toReversed() } }),
      });
      expect([changed.status, changed.json?.["jwks"]], changed.text).toEqual([200, { keys: [own.publicJwk] }]);
    });

    test("if no key is supported, the error names the problem of the first key", async () => {
      const [first, second] = ignored.map(([, make]) => make(key.publicJwk));
      expect(await refused(first ?? {}, second ?? {})).toBe("jwks: a key is not for signatures (use, key_ops)");
    });

    test.each([
      ["a private key of an unsupported kind", { kty: "EC", crv: "P-384", x: "x", y: "y", d: "d" }],
      ["a private post-quantum key", { kty: "AKP", alg: "ML-DSA-44", pub: "AAAA", priv: "AAAA" }],
      ["a symmetric key", { kty: "oct", k: "c2VjcmV0", kid: "b" }],
    ])("refuses %s even if there is a supported key", async (_name, other) => {
      expect(await refused(key.publicJwk, { kid: "other", ...other })).toMatch(/^jwks: .*private/);
    });
  });

  test("refuses more than 10 keys", async () => {
    const keys = await Promise.all(
      Array.from({ length: 11 }, async (_, index) => (await makeKey(`${index}`)).publicJwk),
    );
    expect(await refused(...keys)).toMatch(/1 to 10/);
  });
});

describe("jwks_uri: loads the keys and applies the same rules (RFC 7591 §2; docs/spec/oauth.md, Client keys)", () => {
  const registerByUri = (jwks_uri: unknown, more: object = {}) => register({ jwks_uri, ...more });
  const refused = async (jwks_uri: unknown, more: object = {}): Promise<string> => {
    const answer = await registerByUri(jwks_uri, more);
    expectOAuthError(answer, 400, "invalid_client_metadata");
    return String(answer.json?.["error_description"]);
  };

  test("registers a client with a jwks_uri, returns the URI, and issues the client a token", async () => {
    const own = await makeKey();
    keyServer.serveKeys([own.publicJwk]);
    const answer = await registerByUri(keyServer.url, { ...merchantOnly, scope: "charges.read" });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).toMatchObject({ jwks_uri: keyServer.url });
    expect(answer.json).not.toHaveProperty("jwks");
    const before = keyServer.requestCount();
    const party = { ...own, baseUrl: sandboxUrl, id: textOf(answer, "client_id"), registration: {} };
    expect(await clientToken(party)).toMatch(/^ey/);
    // Registration stored the keys that it loaded, so no process loads them again.
    expect(keyServer.requestCount()).toBe(before);
  });

  test("refuses jwks_uri together with jwks (§2)", async () => {
    expect(await refused(keyServer.url, { jwks: { keys: [key.publicJwk] } })).toMatch(/^jwks_uri:/);
  });

  test.each([
    "http://bot.example/jwks",
    "https://bot.example:8443/jwks",
    "https://user:pass@bot.example/jwks",
    "https://bot.example/jwks#keys",
    "http://localhost:3000/jwks",
    "https://127.0.0.1/jwks",
    "https://[::1]/jwks",
    "https://[::ffff:127.0.0.1]/jwks",
    "https://[64:ff9b::7f00:1]/jwks",
    "https://169.254.169.254/latest",
    "https://100.64.0.1/jwks",
    "https://10.0.0.1/jwks",
    "https://2130706433/jwks",
    "https://0x7f.1/jwks",
    "file:///etc/passwd",
    "jwks",
    "",
    7,
  ])(
    "requires https on port 443 at a globally reachable address, without credentials or fragment: refuses %j",
    async (uri) => {
      expect(await refused(uri)).toMatch(/^jwks_uri:/);
    },
  );

  test.each<[string, (server: KeyServer) => void]>([
    ["a redirect", (server) => server.answer((_, response) => response.writeHead(302, { location: server.url }).end())],
    ["an error", (server) => server.answer((_, response) => response.writeHead(500).end("{}"))],
    ["a page", (server) => server.answer((_, response) => response.setHeader("content-type", "text/html").end("<p>"))],
    [
      "more than 64 KiB",
      (server) =>
        server.answer((_, response) =>
          response.setHeader("content-type", "application/json").end(`{"keys":[],"a":"${"x".repeat(65_536)}"}`),
        ),
    ],
    [
      "JSON that isn't a key set",
      (server) => server.answer((_, response) => response.setHeader("content-type", "application/json").end("[]")),
    ],
    ["an empty key set", (server) => server.serveKeys([])],
    ["a symmetric key", (server) => server.serveKeys([{ kty: "oct", k: "c2VjcmV0" }])],
    ["a key for encryption", (server) => server.serveKeys([{ ...key.publicJwk, use: "enc" }])],
    ["two equal kids", (server) => server.serveKeys([key.publicJwk, key.publicJwk])],
    ["a point that isn't on the curve", (server) => server.serveKeys([{ ...key.publicJwk, y: key.publicJwk.x ?? "" }])],
  ])("refuses a jwks_uri that returns %s", async (_title, prepare) => {
    prepare(keyServer);
    expect(await refused(keyServer.url)).toMatch(/^jwks_uri:/);
  });

  test("refuses a server that doesn't respond within 5 s", async () => {
    keyServer.answer(() => {});
    const startedAt = performance.now();
    expect(await refused(keyServer.url)).toMatch(/5 seconds/);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});
