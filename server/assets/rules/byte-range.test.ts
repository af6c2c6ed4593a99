import { expect, test } from "vitest";
import { readByteRange } from "./byte-range.ts";

test.each([
  ["bytes=0-0", { first: 0, last: 0 }],
  ["bytes=2-4", { first: 2, last: 4 }],
  ["bytes=7-", { first: 7, last: 9 }],
  ["bytes=7-99", { first: 7, last: 9 }],
  ["bytes=-3", { first: 7, last: 9 }],
  ["bytes=-99", { first: 0, last: 9 }],
  ["Bytes=0-9", { first: 0, last: 9 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  [null, null],
  ["", null],
  ["bytes=", null],
  ["bytes=-", null],
  ["bytes=5-2", null],
  ["bytes=a-b", null],
  ["bytes=0-1,3-4", null],
  ["items=0-1", null],
] as const)("Range %j of ten bytes (RFC 9110 §14.1.2)", (header, expected) => {
  expect(readByteRange(header, 10)).toEqual(expected);
});

test("no range of an empty content can be satisfied", () => {
  expect(readByteRange("bytes=0-", 0)).toBe("unsatisfiable");
  expect(readByteRange("bytes=-1", 0)).toBe("unsatisfiable");
});
