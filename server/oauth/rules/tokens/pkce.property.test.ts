import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isSha256Base64url } from "../../../kernel/crypto/hash.ts";
import { verifierMatches } from "./pkce.ts";

const unreserved = fc.constantFrom(..."abzAZ019-._~");
const verifier = fc.string({ unit: unreserved, minLength: 43, maxLength: 128 });
const challengeOf = (text: string) => createHash("sha256").update(text, "ascii").digest("base64url");

test("a verifier matches only its own challenge (RFC 7636 §4.6)", () => {
  fc.assert(
    fc.property(verifier, verifier, (own, other) => {
      expect(isSha256Base64url(challengeOf(own))).toBe(true);
      expect(verifierMatches(own, challengeOf(own))).toBe(true);
      expect(verifierMatches(other, challengeOf(own))).toBe(other === own);
    }),
  );
});

test("an invalid verifier matches no challenge, not even its own hash (RFC 7636 §4.1)", () => {
  const text = fc.string({ unit: unreserved, minLength: 41, maxLength: 45, size: "max" });
  const long = fc.string({ unit: unreserved, minLength: 126, maxLength: 130, size: "max" });
  fc.assert(
    fc.property(fc.oneof(text, long), fc.constantFrom("", "", "+", "/", "=", " ", "é", "\n"), (part, odd) => {
      const sent = part + odd;
      const isVerifier = odd === "" && sent.length >= 43 && sent.length <= 128;
      expect(verifierMatches(sent, createHash("sha256").update(sent).digest("base64url"))).toBe(isVerifier);
    }),
    { numRuns: 300 },
  );
});
