import { gunzipSync, inflateSync } from "node:zlib";
import { decodeList } from "@digitalbazaar/vc-bitstring-status-list";
import { StatusList } from "@sd-jwt/jwt-status-list";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { statusListLength } from "../../kernel/status-list-length.ts";
import { toBitstring, toEncodedList, tokenStatus, toLst, toTokenStatuses } from "./status-bits.ts";

const indexes = fc.uniqueArray(fc.nat(statusListLength - 1), { maxLength: 60 });
const binary = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(2).padStart(8, "0"));

describe("W3C bitstring (Bitstring Status List v1.0 §2.2)", () => {
  it("puts the first index at the left-most bit and the last index at the right-most bit", () => {
    expect(binary(toBitstring([0, 9, 15], 16))).toEqual(["10000000", "01000001"]);
  });

  it("is at least 16 KiB long, whichever bits are set", () => {
    expect(toBitstring([]).byteLength).toBe(16_384);
  });

  it("sets exactly the given bits, as read by a third-party library", async () => {
    await fc.assert(
      fc.asyncProperty(indexes, fc.nat(statusListLength - 1), async (set, other) => {
        const list = await decodeList({ encodedList: toEncodedList(toBitstring(set)) });
        for (const index of [...set, other]) expect(list.getStatus(index)).toBe(set.includes(index));
      }),
      { numRuns: 100 },
    );
  });

  it("equals the empty list in the specification (§2.2, example)", () => {
    const published = "uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA";
    expect(gunzipSync(Buffer.from(published.slice(1), "base64url")).equals(toBitstring([]))).toBe(true);
    expect(toEncodedList(toBitstring([]))).toMatch(/^uH4sI[A-Za-z0-9_-]+$/);
  });
});

describe("IETF status bits (Token Status List §4.1)", () => {
  it("puts entry 0 into the least significant bits", () => {
    // The first entries of the specification's two-bit example, which use the same statuses as ours: 1, 2, 0 →
    // 0b001001.
    expect(binary(toTokenStatuses({ revoked: [0, 5], suspended: [1, 7] }, 8))).toEqual(["00001001", "10000100"]);
  });

  it("prefers revoked over suspended", () => {
    expect(binary(toTokenStatuses({ revoked: [2], suspended: [2] }, 4))).toEqual(["00010000"]);
  });

  it("gives each entry its status, as read by a third-party library", () => {
    fc.assert(
      fc.property(indexes, indexes, fc.nat(statusListLength - 1), (revoked, suspended, other) => {
        const list = StatusList.decompressStatusList(toLst(toTokenStatuses({ revoked, suspended })), 2);
        for (const index of [...revoked, ...suspended, other]) {
          const expected = revoked.includes(index)
            ? tokenStatus.invalid
            : suspended.includes(index)
              ? tokenStatus.suspended
              : tokenStatus.valid;
          expect(list.getStatus(index)).toBe(expected);
        }
      }),
      { numRuns: 25 },
    );
  });

  it("compresses with ZLIB (RFC 1950), not with raw deflate", () => {
    const lst = toLst(toTokenStatuses({ revoked: [3], suspended: [] }));
    expect(inflateSync(Buffer.from(lst, "base64url")).byteLength).toBe(32_768);
    expect(Buffer.from(lst, "base64url")[0]).toBe(0x78);
  });
});

describe("an index that doesn't exist", () => {
  it("is refused, not ignored", () => {
    for (const index of [-1, statusListLength, 1.5, Number.NaN]) {
      expect(() => toBitstring([index])).toThrow(RangeError);
      expect(() => toTokenStatuses({ revoked: [index], suspended: [] })).toThrow(RangeError);
    }
  });
});
