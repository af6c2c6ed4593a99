import { calculateJwkThumbprint, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { send } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { clientToken, registerMerchant } from "../../../support/oauth/parties.ts";

const { sandboxUrl, productionUrl } = currentInstance();

const read = async (baseUrl: string, headers: Record<string, string> = {}) => {
  const answer = await send(`${baseUrl}/.well-known/jwks.json`, { headers });
  return { answer, keys: (answer.json as unknown as JSONWebKeySet | null)?.keys ?? [] };
};

describe.each([
  ["production", productionUrl],
  ["sandbox", sandboxUrl],
])("RFC 7517: the JWKS of %s", (_name, baseUrl) => {
  test("is one JSON object with the array member keys (§5)", async () => {
    const { answer } = await read(baseUrl);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(Object.keys(answer.json ?? {})).toEqual(["keys"]);
    expect(Array.isArray(answer.json?.["keys"])).toBe(true);
  });

  test("has a current key and the next one for each of four purposes (docs/spec/oauth.md, Signing keys)", async () => {
    expect((await read(baseUrl)).keys.length).toBeGreaterThanOrEqual(8);
  });

  test("has only keys with kty, use, alg and a unique kid (§4.1, §4.2, §4.4, §4.5)", async () => {
    const { keys } = await read(baseUrl);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: "EC", use: "sig", alg: "ES256", crv: "P-256" });
      expect(key.key_ops).toBeUndefined();
    }
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
  });

  test("uses each key's SHA-256 thumbprint as its kid (RFC 7638 §3)", async () => {
    for (const key of (await read(baseUrl)).keys) expect(key.kid).toBe(await calculateJwkThumbprint(key));
  });

  test("has only public members: no private key, no certificate (§9.2; RFC 7518 §6.2.2)", async () => {
    for (const key of (await read(baseUrl)).keys) {
      expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
      expect([key.x?.length, key.y?.length]).toEqual([43, 43]);
    }
  });

  test("can be cached for at most 5 minutes, read from any origin, and revalidated (RFC 9111 §5.2.2.1, RFC 9110 §13.1.2)", async () => {
    // If a process couldn't compare its keys for two seconds, it responds with `no-cache` until the next comparison.
    const isKept = /^(public, max-age=\d+|no-cache)$/;
    const readFresh = async () => {
      const { answer } = await read(baseUrl, { origin: "https://merchant.example" });
      const cacheControl = answer.headers.get("cache-control") ?? "";
      expect(cacheControl).toMatch(isKept);
      return { answer, maxAge: Number(/\d+/.exec(cacheControl)?.[0] ?? 0) };
    };
    await expect.poll(async () => (await readFresh()).maxAge).toBeGreaterThan(0);
    const { answer, maxAge } = await readFresh();
    expect(maxAge).toBeLessThanOrEqual(300);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const etag = answer.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = (await read(baseUrl, { "if-none-match": tags })).answer;
      expect([again.status, again.text]).toEqual([304, ""]);
      expect(again.headers.get("etag")).toBe(etag);
      expect(again.headers.get("cache-control")).toMatch(isKept);
    }
    expect((await read(baseUrl, { "if-none-match": '"other"' })).answer.status).toBe(200);
  });

  test("is the same in every process until a key changes", async () => {
    const countTexts = async () =>
      new Set(await Promise.all(Array.from({ length: 20 }, async () => (await read(baseUrl)).answer.text))).size;
    // For a second after a change, such as another test's rotation, a process may still have the previous set.
    await expect.poll(countTexts).toBe(1);
  });

  test("is at the URL in the metadata, and can't be posted to (RFC 8414 §2)", async () => {
    const metadata = await send(`${baseUrl}/.well-known/oauth-authorization-server`);
    expect(metadata.json?.["jwks_uri"]).toBe(`${baseUrl}/.well-known/jwks.json`);
    const answer = await send(`${baseUrl}/.well-known/jwks.json`, { method: "POST" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

test("production and sandbox have no key in common (docs/spec/oauth.md, Key separation)", async () => {
  const [ours, theirs] = [await read(sandboxUrl), await read(productionUrl)];
  const known = new Set(theirs.keys.map(({ x }) => x));
  expect(ours.keys.filter(({ x }) => known.has(x))).toEqual([]);
});

test("the set has the key of every signed object, and no key of another purpose verifies the object (§4.5)", async () => {
  const token = await clientToken(await registerMerchant(sandboxUrl));
  const list = (await send(`${sandboxUrl}/oauth/status-list`)).text;
  const { keys } = await read(sandboxUrl);
  const options = { currentDate: new Date() };
  await jwtVerify(token, createLocalJWKSet({ keys }), options);
  const [{ kid: tokenKid }, { kid: listKid }] = [decodeProtectedHeader(token), decodeProtectedHeader(list)];
  expect(tokenKid).not.toBe(listKid);
  const others = keys.filter(({ kid }) => kid !== tokenKid).map((key) => ({ ...key, kid: tokenKid ?? "" }));
  for (const key of others) await expect(jwtVerify(token, createLocalJWKSet({ keys: [key] }))).rejects.toThrow();
});
