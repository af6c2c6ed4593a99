import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeJws, signJws, verifyJws } from "./jws.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const header = { alg: "ES256", typ: "at+jwt", kid: "1" } as const;
const claims = fc.dictionary(fc.string(), fc.jsonValue());

/** The reference model of RFC 7515 §5.2 and RFC 7519 §7.2. */
const slowDecode = (compact: string): unknown => {
  const parts = compact.split(".");
  if (parts.length !== 3 || parts.some((part) => !/^[A-Za-z0-9_-]+$/.test(part))) return null;
  const bytes = parts.map((part) => Buffer.from(part, "base64url"));
  if (bytes.some((decoded, index) => decoded.toString("base64url") !== parts[index])) return null;
  try {
    const [first, second] = bytes
      .slice(0, 2)
      .map((part) => JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(part)));
    const areObjects = [first, second].every((part) => Object.prototype.toString.call(part) === "[object Object]");
    return areObjects ? { header: first, payload: second } : null;
  } catch {
    return null;
  }
};

describe("a compact JWS (RFC 7515 §7.1)", () => {
  test("verifies, and decodes to the signed claims", () => {
    fc.assert(
      fc.property(claims, (sent) => {
        const jws = decodeJws(signJws(header, sent, privateKey));
        expect(JSON.stringify(jws?.payload)).toBe(JSON.stringify(sent));
        expect(jws && verifyJws(jws, publicKey)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test("doesn't verify with one character changed, removed or added", () => {
    const signed = signJws(header, { sub: "cl_test_1", exp: 1_795_219_200 }, privateKey);
    const other = fc.constantFrom(..."ABab01-_.=+/ \n");
    fc.assert(
      fc.property(fc.nat(signed.length - 1), other, fc.constantFrom(0, 1), (at, character, taken) => {
        const changed = signed.slice(0, at) + character + signed.slice(at + taken);
        fc.pre(changed !== signed);
        const jws = decodeJws(changed);
        expect(jws !== null && verifyJws(jws, publicKey)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  test("is refused, or gives the same result as with a simple reference parser", () => {
    const part = fc.oneof(
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString("base64url")),
      fc
        .dictionary(fc.string(), fc.jsonValue())
        .map((value) => Buffer.from(JSON.stringify(value)).toString("base64url")),
      fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
      fc.constantFrom("", "e30", "e30=", "e31", "bnVsbA", "W10", "7___"),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 4 }), (parts) => {
        const jws = decodeJws(parts.join("."));
        expect(jws && { header: jws.header, payload: jws.payload }).toEqual(slowDecode(parts.join(".")));
      }),
      { numRuns: 300 },
    );
  });
});
