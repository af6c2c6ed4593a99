import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unicode } from "../../kernel/text/text.fixture.ts";
import { safeReturnTo } from "./return-to.ts";

const piece = fc.constantFrom(
  "/",
  "//",
  "\\",
  ".",
  "..",
  "%2e",
  "%2E%2e",
  "%2f",
  "%5c",
  "@",
  ":",
  "?",
  "#",
  "\t",
  "\n",
  "\0",
  " ",
  "é",
  "\u202e",
  "evil.example",
  "https:",
  "javascript:",
  "wallet",
  "consent",
  "a=1",
  ";",
  "[::1]",
);
const texts = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
  fc.string({ unit: unicode }),
);
const rooted = texts.map((text) => `/${text}`);

describe("the path after a sign-in (RFC 9700 §4.11: no open redirector)", () => {
  test("is on this origin for any input and any current page", () => {
    const page = fc.constantFrom("https://pay.example/sign-in?x", "http://localhost:3000/a/b/../c");
    fc.assert(
      fc.property(fc.oneof(texts, rooted), page, (text, from) => {
        const target = new URL(safeReturnTo(text), from);
        expect(target.origin).toBe(new URL(from).origin);
        expect(safeReturnTo(text)).toMatch(/^\/([^/\\]|$)/);
      }),
      { numRuns: 1000 },
    );
  });

  test("is idempotent, and valid in a header", () => {
    fc.assert(
      fc.property(fc.oneof(texts, rooted), (text) => {
        const target = safeReturnTo(text);
        expect(safeReturnTo(target)).toBe(target);
        expect(target).toMatch(/^[\x21-\x7e]+$/);
      }),
      { numRuns: 500 },
    );
  });

  test("keeps any plain path with its query", () => {
    const segment = fc.string({ unit: fc.constantFrom(..."abZ09-_~"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.option(segment), (segments, query) => {
        const path = `/${segments.join("/")}${query ? `?q=${query}` : ""}`;
        expect(safeReturnTo(path)).toBe(path);
      }),
    );
  });
});
