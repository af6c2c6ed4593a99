import { Secret } from "otpauth";
import { describe, expect, test } from "vitest";
import { newTotpSecret, totpCodeAt, totpStepOf, totpUri } from "./totp.ts";

const secret = Secret.fromLatin1("12345678901234567890").base32;
const at = (seconds: number) => new Date(seconds * 1000);

describe("codes of an authenticator app (RFC 6238)", () => {
  // The last six digits of the values of Appendix B for SHA-1.
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
  ])("at %d s the code is %s (Appendix B)", (seconds, code) => {
    expect(totpCodeAt(secret, at(seconds))).toBe(code);
    expect(totpStepOf(secret, code, at(seconds))).toBe(Math.floor(seconds / 30));
  });

  test("accepts a code that is one step early or late, and returns the step of the code; refuses a code that is two steps off (§6)", () => {
    const now = at(1_000_000_000);
    const stepAt = (seconds: number) => totpStepOf(secret, totpCodeAt(secret, at(1_000_000_000 + seconds)), now);
    const step = Math.floor(1_000_000_000 / 30);
    expect([-60, -30, 0, 30, 60].map(stepAt)).toEqual([null, step - 1, step, step + 1, null]);
  });

  test.each(["", "28708", "2870820", "28708a", "287 082"])("refuses %j", (code) => {
    expect(totpStepOf(secret, code, at(59))).toBeNull();
  });

  test("a new secret has 160 bits, and the URI in the QR code names issuer and account", () => {
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(newTotpSecret());
    const uri = totpUri(secret, { issuer: "Paygrant", label: "ola@example.com" });
    expect(uri).toBe(
      `otpauth://totp/Paygrant:ola%40example.com?issuer=Paygrant&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
