import fc from "fast-check";
import { expect, test } from "vitest";
import { isDomainError } from "../../kernel/errors.ts";
import { unicode } from "../../kernel/text/text.fixture.ts";
import { holdsText } from "../../kernel/text/text.ts";
import { parseJson, targetOf } from "./read-request.ts";

test("reads the same path and query as the class URL", () => {
  const piece = fc.constantFrom("/", "//", "?", "??", "a=b", "://", "@", ":", "%2f", "oauth", "é", ".", "&");
  const tail = fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join("")}`);
  const url = fc
    .tuple(fc.constantFrom("https://pay.example", "http://[::1]:3000"), tail)
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(url, (address) => {
      const { href, pathname, search } = new URL(address);
      expect(targetOf(href)).toEqual({ path: pathname, query: search.slice(1) });
    }),
  );
});

test("JSON is read unchanged, unless a text in it can't be stored (RFC 8259, RFC 7493 §2.1)", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: unicode }), fc.nat(3), (value, indent) => {
      const body = JSON.stringify(value, null, indent);
      if (holdsText(value)) expect(JSON.stringify(parseJson(body))).toBe(JSON.stringify(value));
      else expect(() => parseJson(body)).toThrow(expect.objectContaining({ code: "invalid_request" }));
    }),
  );
});

test("invalid JSON is reported as invalid JSON, and no other error is thrown", () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    '"a"',
    ":",
    ",",
    "1",
    "-",
    "t",
    "null",
    " ",
    "\\u0000",
    '"\\ud800"',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      try {
        expect(parseJson(pieces.join(""))).toEqual(JSON.parse(pieces.join("")));
      } catch (error) {
        expect(isDomainError(error) && [error.code, error.errors[0]?.pointer]).toEqual(["invalid_request", ""]);
      }
    }),
    { numRuns: 300 },
  );
});
