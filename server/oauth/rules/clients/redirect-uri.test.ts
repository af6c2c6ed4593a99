import fc from "fast-check";
import { expect, test } from "vitest";
import { findBrokenRule } from "../../../kernel/rule.ts";
import {
  readRedirectUri,
  redirectUriMatches,
  redirectUriProblem,
  redirectUriRules,
  withParameters,
} from "./redirect-uri.ts";

test.each([
  ["https://a.example/cb", "https://a.example/cb", true],
  ["https://a.example/cb", "https://a.example/cb/", false],
  ["https://a.example/cb", "https://a.example/cb?x=1", false],
  ["https://a.example/cb", "https://A.example/cb", false],
  ["https://a.example/cb", "https://a.example:443/cb", false],
  ["https://a.example/cb", "https://a.example/%63b", false],
  ["http://127.0.0.1/cb", "http://127.0.0.1:51004/cb", true],
  ["http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb", true],
  ["http://[::1]/cb", "http://[::1]:61023/cb", true],
  ["http://127.0.0.1/cb", "http://127.0.0.1:51004/other", false],
  ["http://127.0.0.1/cb", "http://[::1]/cb", false],
  ["http://127.0.0.1/cb", "http://127.0.0.1:80@evil.example/cb", false],
  ["http://127.0.0.1/cb", "http://127.0.0.1.evil.example/cb", false],
  ["https://127.0.0.1/cb", "https://127.0.0.1:8443/cb", false],
  ["http://localhost:3000/cb", "http://localhost:3000/cb", true],
  ["http://localhost:3000/cb", "http://localhost:3001/cb", false],
  ["http://localhost/cb", "http://127.0.0.1/cb", false],
])("registered %s, requested %s: %s (RFC 3986 §6.2.1, RFC 8252 §7.3)", (registered, requested, expected) => {
  expect(redirectUriMatches([registered], requested)).toBe(expected);
});

test.each([
  ["https://a.example/cb?code=x"],
  ["https://a.example/cb?a=1&iss=https://b.example"],
  ["javascript:alert(1)"],
  ["https://a.example;sandbox/cb"],
  ["https:///a.example/cb"],
  ["https:a.example/cb"],
  ["https://a.example\\@b.example/cb"],
  ["http://127.1/cb"],
  ["https://a.example,sandbox/cb"],
  ["data:text/html,x"],
  ["/relative"],
  ["https://a.example/#f"],
  ["https://a.example/#"],
  ["https://user:pw@a.example/"],
  ["http://a.example/"],
  ["http://localhost/cb"],
  [" https://a.example/"],
  ["https://a.example/\n"],
  ["https://a.example/é"],
  ["https://a.example/50%off"],
])("%j can't be registered", (uri) => {
  expect(redirectUriProblem(uri)).not.toBeNull();
});

test.each([
  ["http://localhost:3000/cb", true],
  ["http://localhost/cb?a=b", true],
  ["https://localhost:3000/cb", true],
  ["http://127.0.0.1:3000/cb", true],
  ["http://app.localhost:3000/cb", false],
  ["http://localhost.:3000/cb", false],
  ["http://localhost.example/cb", false],
  ["http://localhost@shop.example/cb", false],
  ["http://localhost/cb#f", false],
  ["http://shop.example/cb", false],
  ["ws://localhost/cb", false],
])("in the sandbox %j can be registered: %s (RFC 8252 §8.3)", (uri, expected) => {
  expect(findBrokenRule(redirectUriRules, readRedirectUri(uri, true)) === null).toBe(expected);
});

/** The paths are short, because long paths test the same rules but take seconds to generate. */
const webUrl = fc.webUrl({ withFragments: true, withQueryParameters: true, size: "xsmall" });

test("a web address can be registered only with https, and matches only the same text", () => {
  fc.assert(
    fc.property(webUrl, webUrl, (registered, requested) => {
      if (redirectUriProblem(registered) === null) expect(new URL(registered).protocol).toBe("https:");
      expect(redirectUriMatches([registered], requested)).toBe(registered === requested);
    }),
  );
});

test.each([
  ["https://a.example", "https://a.example?code=x"],
  ["https://a.example/cb?a=%20b", "https://a.example/cb?a=%20b&code=x"],
  ["https://a.example/cb?", "https://a.example/cb?code=x"],
])("%s with a code is %s: the registered query is unchanged (RFC 6749 §3.1.2)", (uri, expected) => {
  expect(withParameters(uri, { code: "x" })).toBe(expected);
});
