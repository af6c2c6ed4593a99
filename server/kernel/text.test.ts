import { describe, expect, test } from "vitest";
import { holdsText, isShallow, namesOnce } from "./text.ts";

describe("text that can be stored: no lone surrogate (RFC 7493 §2.1), no NUL", () => {
  test.each(["a\0", "\ud800", { a: ["\0"] }, { "\ud800": 1 }, [[["a\0"]]]])("refuses %j", (value) => {
    expect(holdsText(value)).toBe(false);
  });

  test.each(["", "é😀", { a: [1, null, true, { b: "c" }] }, null, undefined])("takes %j", (value) => {
    expect(holdsText(value)).toBe(true);
  });

  test("whatever the depth and the breadth", () => {
    expect(holdsText(JSON.parse("[".repeat(30_000) + "]".repeat(30_000)))).toBe(true);
    const broad = Array(500_000).fill(0);
    expect(holdsText(broad)).toBe(true);
    expect(namesOnce("[]", broad)).toBe(true);
  });
});

test("a value that nests no deeper than 32 levels is shallow, however it nests", () => {
  const nested = (levels: number, wrap: (inner: unknown) => unknown) =>
    Array.from({ length: levels }).reduce<unknown>((inner) => wrap(inner), 1);
  for (const wrap of [(inner: unknown) => [inner], (inner: unknown) => ({ a: inner })]) {
    expect(isShallow(nested(31, wrap))).toBe(true);
    expect(isShallow(nested(32, wrap))).toBe(false);
    expect(isShallow(nested(100_000, wrap))).toBe(false);
  }
});
