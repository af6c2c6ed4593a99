import { describe, expect, it } from "vitest";
import { formatRecoveryCode, readRecoveryCode, recoveryCodeHash } from "./recovery-code.ts";

const key = new Uint8Array(32).fill(7);

describe("recovery codes (docs/spec/portal.md, Recovery codes)", () => {
  it("have three groups of four characters that can't be confused", () => {
    const all = Uint8Array.from({ length: 12 }, (_, index) => index * 21);
    expect(formatRecoveryCode(all)).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
  });

  it.each(["7k2m-90AB-1xyz", "7K2M 9OAB lXYZ", "7K2M9OABIXYZ", " 7k2m–90ab–ixyz "])(
    "can be typed as “%s”: case and separators are ignored, and O, I and L are read as digits",
    (typed) => {
      expect(readRecoveryCode(typed)).toBe("7K2M90AB1XYZ");
      expect(recoveryCodeHash(key, "acc_1", typed)).toBe(recoveryCodeHash(key, "acc_1", "7K2M-90AB-1XYZ"));
    },
  );

  it("have a different hash for each account and each master key", () => {
    const hash = recoveryCodeHash(key, "acc_1", "7K2M-90AB-1XYZ");
    expect(recoveryCodeHash(key, "acc_2", "7K2M-90AB-1XYZ")).not.toBe(hash);
    expect(recoveryCodeHash(new Uint8Array(32), "acc_1", "7K2M-90AB-1XYZ")).not.toBe(hash);
  });
});
