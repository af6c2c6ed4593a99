import { describe, expect, test } from "vitest";
import { holdsText } from "./text.ts";

describe("text that can be stored: no lone surrogate (RFC 7493 §2.1), no NUL", () => {
  test.each(["a\0", "\ud800", { a: ["\0"] }, { "\ud800": 1 }, [[["a\0"]]]])("refuses %j", (value) => {
    expect(holdsText(value)).toBe(false);
  });

  test.each(["", "é😀", { a: [1, null, true, { b: "c" }] }, null, undefined])("takes %j", (value) => {
    expect(holdsText(value)).toBe(true);
  });

  test("whatever the depth", () => {
    expect(holdsText(JSON.parse("[".repeat(30_000) + "]".repeat(30_000)))).toBe(true);
  });
});
