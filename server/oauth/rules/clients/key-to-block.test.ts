import { describe, expect, test } from "vitest";
import { readKeyToBlock } from "./key-to-block.ts";

const p256 = { kty: "EC", crv: "P-256", x: "xxxx", y: "yyyy" };
const thumbprint = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";

describe("an entered key to block (docs/spec/oauth.md, Blocked keys)", () => {
  test("may be a thumbprint (RFC 7638) with spaces around it", () =>
    expect(readKeyToBlock(`\n ${thumbprint} `)).toEqual({ kind: "thumbprint", thumbprint }));

  test.each([
    ["a JWK", p256],
    ["a JWK with other members", { ...p256, kid: "k1", alg: "RS512", use: "enc", extra: [1] }],
    ["a JWK Set with one key", { keys: [p256] }],
  ])("may be %s, of which only the public members are used", (_, value) =>
    expect(readKeyToBlock(JSON.stringify(value))).toEqual({ kind: "jwk", jwk: { ...p256, alg: "ES256" } }),
  );

  test.each([
    ["a private EC key", { ...p256, d: "d" }],
    ["a private RSA key", { kty: "RSA", n: "nnnn", e: "AQAB", p: "p" }],
    ["a symmetric key", { kty: "oct", k: "secret" }],
    ["a private key in a set", { keys: [{ ...p256, d: "d" }] }],
    ["a private key with an empty d", { ...p256, d: "" }],
  ])("must not be %s", (_, value) =>
    expect(readKeyToBlock(JSON.stringify(value))).toEqual({ kind: "problem", problem: "private_key" }),
  );

  test("must not be a private key as PEM", () =>
    expect(readKeyToBlock("-----BEGIN PRIVATE KEY-----\nMIG")).toEqual({ kind: "problem", problem: "private_key" }));

  test.each(["", "{", "null", "[]", `${thumbprint}A`, thumbprint.replace("-", "+"), '{"keys":[]}', '{"keys":[1]}'])(
    "must not be %j",
    (text) => expect(readKeyToBlock(text)).toEqual({ kind: "problem", problem: "unreadable_key" }),
  );

  test("must not be a set of two keys, because only one key is blocked at a time", () =>
    expect(readKeyToBlock(JSON.stringify({ keys: [p256, p256] }))).toMatchObject({ problem: "unreadable_key" }));

  test.each([{ ...p256, crv: "P-384" }, { kty: "AKP", pub: "p" }, {}])(
    "is refused if clients can't use keys of its kind: %j",
    (value) => expect(readKeyToBlock(JSON.stringify(value))).toMatchObject({ problem: "unsupported_key" }),
  );
});
