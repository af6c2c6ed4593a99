import { expect, test } from "vitest";
import { addressOf, idOf, textOf } from "./list-address.ts";

const cutInTwo = `${"a".repeat(99)}😀`;

test.each<[string, string | string[] | undefined, string | undefined]>([
  ["what is asked for, without spaces around it", " market ", "market"],
  ["nothing where nothing is asked for", undefined, undefined],
  ["nothing where there are spaces alone", "  ", undefined],
  ["nothing where it stands twice", ["a", "b"], undefined],
  ["the rest where it holds NUL", "a\0b", "ab"],
  ["nothing where it is NUL alone", "\0", undefined],
  ["100 characters of a longer one", "a".repeat(300), "a".repeat(100)],
  ["text where the hundredth is the half of a character", cutInTwo, `${"a".repeat(99)}\ufffd`],
  ["text where it holds half a character", "a\ud800", "a\ufffd"],
])("a search is %s (docs/spec/product.md, Invalid requests)", (_, value, text) => {
  expect(textOf({ q: value }, "q")).toBe(text);
});

test.each(["\0", "a b", "", "iat_\ud800", "a".repeat(65), "mch_1'--", ["iat_1", "iat_2"], undefined])(
  "%j names no place in a list (docs/spec/product.md, Invalid requests)",
  (value) => {
    expect(idOf({ after: value }, "after")).toBeUndefined();
  },
);

test("an id names its place, and an address holds what is given", () => {
  expect(idOf({ after: "iat_1" }, "after")).toBe("iat_1");
  expect(addressOf("/list", { after: "iat_1", q: undefined })).toBe("/list?after=iat_1");
  expect(addressOf("/list", { after: undefined })).toBe("/list");
});
