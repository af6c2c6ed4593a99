import { expect, test } from "vitest";
import { listAddress, searchId, searchText } from "./list-address.ts";

const splitCharacter = `${"a".repeat(99)}😀`;

test.each<[string, string | string[] | undefined, string | undefined]>([
  ["is trimmed", " market ", "market"],
  ["is undefined without a parameter", undefined, undefined],
  ["is undefined for spaces only", "  ", undefined],
  ["is undefined for a repeated parameter", ["a", "b"], undefined],
  ["loses NUL", "a\0b", "ab"],
  ["is undefined for NUL only", "\0", undefined],
  ["is cut to 100 characters", "a".repeat(300), "a".repeat(100)],
  ["is well-formed when the cut splits a character", splitCharacter, `${"a".repeat(99)}\ufffd`],
  ["is well-formed when it contains half a character", "a\ud800", "a\ufffd"],
])("a search text %s (docs/spec/product.md, Invalid requests)", (_, value, text) => {
  expect(searchText({ q: value }, "q")).toBe(text);
});

test.each(["\0", "a b", "", "iat_\ud800", "a".repeat(65), "mch_1'--", ["iat_1", "iat_2"], undefined])(
  "ignores %j as an id (docs/spec/product.md, Invalid requests)",
  (value) => {
    expect(searchId({ after: value }, "after")).toBeUndefined();
  },
);

test("an id is read from the URL, and a list's URL contains the given filters", () => {
  expect(searchId({ after: "iat_1" }, "after")).toBe("iat_1");
  expect(listAddress("/list", { after: "iat_1", q: undefined })).toBe("/list?after=iat_1");
  expect(listAddress("/list", { after: undefined })).toBe("/list");
});
