import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";
import { importProofKey } from "./proof-key.ts";

const algorithms = ["ES256", "PS256", "EdDSA"] as const;
const makeJwk = async (alg: (typeof algorithms)[number]) =>
  exportJWK(
    (await generateKeyPair(alg, { extractable: true, ...(alg === "EdDSA" ? { crv: "Ed25519" } : {}) })).publicKey,
  );

test.each(algorithms)(
  "the thumbprint of a key for %s is computed as in RFC 7638, whatever other members its jwk has",
  async (alg) => {
    const jwk = await makeJwk(alg);
    const { jkt } = importProofKey({ kid: "x", use: "sig", ...jwk });
    expect(jkt).toBe(await calculateJwkThumbprint(jwk));
    expect(importProofKey(jwk).key).toBe(importProofKey({ ...jwk, alg }).key);
  },
);

const memberOf = (jwk: object, name: string): string => String(new Map(Object.entries(jwk)).get(name));
const zeroBefore = (jwk: object, name: string): string =>
  Buffer.concat([Buffer.alloc(1), Buffer.from(memberOf(jwk, name), "base64url")]).toString("base64url");
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const strayBit = (jwk: object, name: string): string => {
  const text = memberOf(jwk, name);
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.slice(-1)) + 1];
};

describe("a proof's jwk is refused with invalid_dpop_proof (RFC 9449 §4.3)", () => {
  const rows: [string, (jwks: Record<(typeof algorithms)[number], object>) => Record<string, unknown>][] = [
    ["a point off the curve", ({ ES256 }) => ({ ...ES256, y: "A".repeat(43) })],
    ["another curve", ({ ES256 }) => ({ ...ES256, crv: "P-384" })],
    ["a symmetric key", () => ({ kty: "oct" })],
    ["no members", () => ({})],
    ["members that aren't text", () => ({ kty: "EC", crv: "P-256", x: 1, y: {} })],
    ["a member nested deeper than the stack", () => ({ kty: JSON.parse("[".repeat(20_000) + "]".repeat(20_000)) })],
    ["padded base64", ({ EdDSA }) => ({ ...EdDSA, x: `${"A".repeat(42)}E=` })],
    ["an Ed25519 point of small order", () => ({ kty: "OKP", crv: "Ed25519", x: "A".repeat(43) })],
    ["an RSA modulus of 1024 bits", () => ({ kty: "RSA", e: "AQAB", n: Buffer.alloc(128, 255).toString("base64url") })],
    [
      "an RSA modulus of 8192 bits",
      () => ({ kty: "RSA", e: "AQAB", n: Buffer.alloc(1024, 255).toString("base64url") }),
    ],
    ["a coordinate with a zero in front (RFC 7518 §6.2.1.2)", ({ ES256 }) => ({ ...ES256, x: zeroBefore(ES256, "x") })],
    ["a modulus with a zero in front (RFC 7518 §6.3.1.1)", ({ PS256 }) => ({ ...PS256, n: zeroBefore(PS256, "n") })],
    [
      "an unused bit that is set at the end of a coordinate (RFC 4648 §3.5)",
      ({ ES256 }) => ({ ...ES256, y: strayBit(ES256, "y") }),
    ],
    ["an RSA exponent of 1", ({ PS256 }) => ({ ...PS256, e: "AQ" })],
  ];
  test.each(rows)("%s", async (_, spoil) => {
    const [ES256, PS256, EdDSA] = await Promise.all(algorithms.map(makeJwk));
    const jwk = spoil({ ES256: ES256 ?? {}, PS256: PS256 ?? {}, EdDSA: EdDSA ?? {} });
    expect(() => importProofKey(jwk)).toThrow(expect.objectContaining({ code: "invalid_dpop_proof" }));
  });
});
