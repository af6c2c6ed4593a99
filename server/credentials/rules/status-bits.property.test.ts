import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toBitstring, tokenStatus, toTokenStatuses } from "./status-bits.ts";

const length = 256;
const indexes = fc.uniqueArray(fc.nat(length - 1), { maxLength: 80 });
const ones = (bytes: Uint8Array) =>
  [...bytes].reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);

/**
 * `bit` and `status` read the bits as the figures of the specifications show them. W3C counts the bits from the left,
 * IETF from the right of each byte.
 */
const bit = (bytes: Uint8Array, index: number) =>
  Number([...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")[index]);
const status = (bytes: Uint8Array, index: number) => {
  const byte = (bytes[Math.floor(index / 4)] ?? 0).toString(2).padStart(8, "0");
  const end = 8 - (index % 4) * 2;
  return Number.parseInt(byte.slice(end - 2, end), 2);
};

describe("status bits", () => {
  test("sets the W3C bits at exactly the given indexes, even if they are unsorted and contain duplicates", () => {
    fc.assert(
      fc.property(indexes, fc.nat(length - 1), (set, other) => {
        const bytes = toBitstring([...set.toReversed(), ...set], length);
        expect(ones(bytes)).toBe(set.length);
        for (const index of [...set, other]) expect(bit(bytes, index)).toBe(set.includes(index) ? 1 : 0);
      }),
    );
  });

  test("gives the same status for every mandate in both formats (docs/spec/payments.md, Status lists)", () => {
    fc.assert(
      fc.property(indexes, indexes, (revoked, suspended) => {
        const [revocation, suspension] = [toBitstring(revoked, length), toBitstring(suspended, length)];
        const token = toTokenStatuses({ revoked, suspended }, length);
        for (let index = 0; index < length; index++) {
          const fromW3c = bit(revocation, index)
            ? tokenStatus.invalid
            : bit(suspension, index)
              ? tokenStatus.suspended
              : tokenStatus.valid;
          expect(status(token, index)).toBe(fromW3c);
        }
      }),
      { numRuns: 20 },
    );
  });

  test("revoking a mandate sets its own status, and changes no other mandate's status", () => {
    fc.assert(
      fc.property(indexes, indexes, fc.nat(length - 1), (revoked, suspended, next) => {
        const before = toTokenStatuses({ revoked, suspended }, length);
        const after = toTokenStatuses({ revoked: [...revoked, next], suspended }, length);
        expect(status(after, next)).toBe(tokenStatus.invalid);
        const mask = 0b11 << ((next % 4) * 2);
        const changed = [...after].map((byte, at) => byte ^ (before[at] ?? 0));
        expect(changed.every((bits, at) => (at === Math.floor(next / 4) ? (bits & ~mask) === 0 : bits === 0))).toBe(
          true,
        );
      }),
    );
  });
});
