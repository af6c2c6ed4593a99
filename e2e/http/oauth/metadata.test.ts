import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { currentInstance } from "../../support/instance.ts";
import { clientToken, registerMerchant } from "../../support/parties.ts";
import { send } from "../../support/wire.ts";

const { sandboxUrl, productionUrl } = currentInstance();

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
