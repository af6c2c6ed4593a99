import { describe, expect, test } from "vitest";
import { checkAssertionClaims, checkAssertionHeader } from "../clients/client-assertion.ts";
import { checkProofClaims, checkProofHeader } from "./dpop.ts";

const now = new Date("2026-11-21T12:00:00Z");
const seconds = now.getTime() / 1000;
const url = "https://pay.example/oauth/token";

const assertion = (jti: string) =>
  checkAssertionClaims(
    { iss: "c", sub: "c", aud: url, exp: seconds + 60, jti },
    { clientId: "c", audiences: [url], now },
  );
const proof = (jti: string) =>
  checkProofClaims({ jti, htm: "POST", htu: url, iat: seconds }, { method: "POST", url, accessTokenHash: null, now });

describe("a jti that can't be stored fails only its own request: replay rows of several requests share a statement", () => {
  test.each(["a\0b", "\ud800"])("%j", (jti) => {
    expect(() => assertion(jti)).toThrow(expect.objectContaining({ code: "invalid_client" }));
    expect(() => proof(jti)).toThrow(expect.objectContaining({ code: "invalid_dpop_proof" }));
  });

  test("any other text is accepted", () => {
    expect(assertion("é😀").jti).toBe("é😀");
    expect(proof("é😀").jti).toBe("é😀");
  });
});

describe("the payload of a JWT is always base64url (RFC 7797 §7)", () => {
  test("in an assertion", () => {
    expect(() => checkAssertionHeader({ alg: "ES256", b64: false }, null)).toThrow(/base64url/);
  });

  test("in a proof, even if `crit` contains b64", () => {
    const header = { typ: "dpop+jwt", alg: "ES256", jwk: {}, crit: ["b64"], b64: false };
    expect(() => checkProofHeader(header)).toThrow(/critical/);
  });
});
