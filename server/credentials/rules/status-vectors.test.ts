import { gunzipSync, inflateSync } from "node:zlib";
import { decodeList } from "@digitalbazaar/vc-bitstring-status-list";
import { StatusList } from "@sd-jwt/jwt-status-list";
import { describe, expect, it } from "vitest";
import { statusListLength } from "../../kernel/status-list-length.ts";
import { toBitstring, toLst, toTokenStatuses } from "./status-bits.ts";

/** Entries by status. Status 3 is application-specific, and we don't use it (Token Status List §7.1). */
type Vector = { length: number; lst: string; revoked: number[]; suspended: number[]; own: number[] };

/** draft-ietf-oauth-status-list-21, §4.1 and §4.2: the example of two bits. */
const example: Vector = {
  length: 12,
  lst: "eNo76fITAAPfAgc",
  revoked: [0, 5, 7, 8],
  suspended: [1, 9],
  own: [3, 10, 11],
};

/** draft-ietf-oauth-status-list-21, Appendix C.2: 2^20 entries of two bits. */
const appendix: Vector = {
  length: 2 ** 20,
  lst:
    "eNrt2zENACEQAEEuoaBABP5VIO01fCjIHTMStt9ovGVIAAAAAABAbiEBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEB5" +
    "WwIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" +
    "AAAAAAAAAID0ugQAAAAAAAAAAAAAAAAAQG12SgAAAAAAAAAAAAAAAAAAAAAAAAAAAOCSIQEAAAAAAAAAAAAAAAAAAAAAAAD8ExIA" +
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwJEuAQAAAAAAAAAAAAAAAAAAAAAAAMB9SwIAAAAAAAAAAAAAAAAAAACoYUoA" +
    "AAAAAAAAAAAAAEBqH81gAQw",
  revoked: [0, 25_460, 495_669, 554_353, 723_232, 854_545],
  suspended: [1_993, 645_645, 934_534],
  own: [159_495, 1_000_345],
};

/** Our bytes, with the entries of status 3, which we never set, added by hand. */
const bytesOf = ({ length, own, ...flagged }: Vector): Uint8Array => {
  const bytes = toTokenStatuses(flagged, length);
  for (const index of own) bytes[index >> 2] = (bytes[index >> 2] ?? 0) | (3 << ((index & 3) * 2));
  return bytes;
};

describe("test vectors of Token Status List", () => {
  it.each([
    ["§4.1, two bits", example],
    ["Appendix C.2", appendix],
  ])("%s: our bytes equal the printed bytes", (_, vector) => {
    const printed = inflateSync(Buffer.from(vector.lst, "base64url"));
    expect(Buffer.from(bytesOf(vector)).equals(printed)).toBe(true);
  });

  it("§4.2: our compression of the example equals the printed text exactly", () => {
    expect([...bytesOf(example)]).toEqual([0xc9, 0x44, 0xf9]);
    expect(toLst(bytesOf(example))).toBe(example.lst);
  });

  it("Appendix C.2: a third-party library reads the same from our list and the printed list", () => {
    const readers = [toLst(bytesOf(appendix)), appendix.lst].map((lst) => StatusList.decompressStatusList(lst, 2));
    const { revoked, suspended, own } = appendix;
    for (const [status, indexes] of [revoked, suspended, own].entries()) {
      for (const index of indexes)
        expect(readers.map((list) => list.getStatus(index))).toEqual([status + 1, status + 1]);
      for (const index of indexes) expect(readers.map((list) => list.getStatus(index + 1))).toEqual([0, 0]);
    }
  });
});

describe("the list in W3C Bitstring Status List v1.0 (§2.2, Example 3)", () => {
  const printed = "uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA";

  it("equals our list with no bits set", async () => {
    expect(gunzipSync(Buffer.from(printed.slice(1), "base64url")).equals(toBitstring([]))).toBe(true);
    const list = await decodeList({ encodedList: printed });
    expect(list.length).toBe(statusListLength);
    expect([0, 94_567, statusListLength - 1].map((index) => list.getStatus(index))).toEqual([false, false, false]);
  });
});
