import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unicode } from "../../../kernel/text/text.fixture.ts";
import { redirectUriMatches, redirectUriProblem, withParameters } from "./redirect-uri.ts";

type Parts = { base: string; port: string; rest: string };
const parts: fc.Arbitrary<Parts> = fc.record({
  base: fc.constantFrom(
    "http://127.0.0.1",
    "http://[::1]",
    "https://127.0.0.1",
    "https://a.example",
    "http://127.0.0.2",
  ),
  port: fc.constantFrom("", ":1", ":80", ":51004", ":65535"),
  rest: fc.constantFrom("", "/", "/cb", "/cb?x=1", "/CB", "/cb/", "/cb?x=:80"),
});
const write = ({ base, port, rest }: Parts) => `${base}${port}${rest}`;

describe("redirect_uri (RFC 3986 §6.2.1, RFC 8252 §7.3)", () => {
  test("equals the registered one exactly, except for the port of a loopback IP over http", () => {
    fc.assert(
      fc.property(parts, parts, fc.boolean(), (registered, other, sharesMost) => {
        const requested = sharesMost ? { ...registered, port: other.port } : other;
        const isLoopback = ["http://127.0.0.1", "http://[::1]"].includes(registered.base);
        const sameButPort = registered.base === requested.base && registered.rest === requested.rest;
        const expected = write(registered) === write(requested) || (isLoopback && sameButPort);
        expect(redirectUriMatches([write(registered)], write(requested))).toBe(expected);
      }),
      { numRuns: 400 },
    );
  });

  test("matches a list of URIs if and only if it matches one of them", () => {
    const many = fc.array(parts.map(write), { maxLength: 4 });
    fc.assert(
      fc.property(many, parts.map(write), (registered, requested) => {
        const expected = registered.some((one) => redirectUriMatches([one], requested));
        expect(redirectUriMatches(registered, requested)).toBe(expected);
      }),
    );
  });
});

const piece = fc.constantFrom(
  "https:",
  "http:",
  "//",
  "/",
  "\\",
  "a.example",
  "127.0.0.1",
  "[::1]",
  "@",
  ":",
  "443",
  "?",
  "#",
  "code=1",
  "&",
  "%2e",
  "..",
  ";",
  ",",
  " ",
  "\t",
  "é",
  "javascript:",
  "user",
  "x=1",
  "'",
);
const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

test("a URI that can be registered uses https or a loopback IP, and its parsed host equals the host in its text", () => {
  const registrable = fc.oneof(
    texts,
    texts.map((tail) => `https://a.example${tail}`),
    texts.map((tail) => `http://127.0.0.1/${tail}`),
  );
  fc.assert(
    fc.property(registrable, (text) => {
      if (redirectUriProblem(text) !== null) return;
      const url = new URL(text);
      const [, scheme, host] = /^(https?):\/\/([^/?:[]+|\[[^\]]+\])/.exec(text) ?? [];
      expect([`${scheme}:`, host]).toEqual([url.protocol, url.hostname]);
      expect(url.protocol === "https:" || ["127.0.0.1", "[::1]"].includes(url.hostname)).toBe(true);
      expect([url.username, url.password, url.hash]).toEqual(["", "", ""]);
    }),
    { numRuns: 500 },
  );
});

test("the response's parameters are appended to the registered URI, which stays unchanged (RFC 6749 §4.1.2)", () => {
  const registered = fc.constantFrom(
    "https://a.example",
    "https://a.example/cb?a=%20b",
    "https://a.example/?",
    "https://a.example/?b&",
  );
  const text = fc.string({ unit: unicode, maxLength: 8 });
  fc.assert(
    fc.property(registered, text, text, (uri, code, state) => {
      const address = withParameters(uri, { code, state });
      expect(address.startsWith(uri)).toBe(true);
      const { searchParams } = new URL(address);
      expect([searchParams.getAll("code"), searchParams.getAll("state")]).toEqual([[code], [state]]);
      for (const [name, value] of new URL(uri).searchParams) expect(searchParams.getAll(name)).toEqual([value]);
    }),
  );
});
