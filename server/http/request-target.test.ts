import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeTarget, pathOf } from "./request-target.ts";

describe("one spelling of each path (RFC 3986 §6.2.2)", () => {
  test.each([
    ["/oauth/token", "/oauth/token"],
    ["/%6fauth/to%6Ben?a=%6f", "/oauth/token?a=%6f"],
    ["/merchant%5Ftest/charge", "/merchant_test/charge"],
    ["/a%2Fb%3F%25%41", "/a%2Fb%3F%25A"],
    ["/caf%C3%A9/%zz/%", "/caf%C3%A9/%zz/%"],
    ["/./up/../oauth/token", "/oauth/token"],
    ["/%2e/up/%2E%2e/oauth/token", "/oauth/token"],
    ["/oauth/token/..", "/oauth/"],
    ["/oauth/token/.", "/oauth/token/"],
    ["/../../..", "/"],
    ["/a//b/", "/a//b/"],
    ["/.well-known/jwks.json", "/.well-known/jwks.json"],
    ["/a?x=/../b#/../c", "/a?x=/../b#/../c"],
    ["*", "*"],
    ["http://here.test/%6fauth/x/../token?a=%6f", "/oauth/token?a=%6f"],
    ["HTTPS://here.test:8443", "/"],
    ["http://here.test?a=b", "/?a=b"],
    ["http://here.test//evil.example", "//evil.example"],
    ["http:///oauth/token", "http:///oauth/token"],
  ])("%s", (target, normal) => {
    expect(normalizeTarget(target)).toBe(normal);
  });

  test("normalization is idempotent, and gives the same path as `URL` except for escapes", () => {
    const part = fc.constantFrom("a", "b", ".", "..", "%2e", "%2E.", "%41", "%2f", "/", "//", "_", "~");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const target = `/${parts.join("/")}`;
        const normal = normalizeTarget(target);
        expect(normalizeTarget(normal)).toBe(normal);
        expect(normal).toBe(new URL(`http://here.test${target}`).pathname.replaceAll("%41", "A"));
      }),
    );
  });
});

describe("a target that isn't a path (RFC 9112 §3.2)", () => {
  test.each(["", "*", "//evil.example", "http://here.test/", "a:b", normalizeTarget("/..//evil.example")])(
    "%s",
    (target) => {
      expect(pathOf(target)).toBeNull();
    },
  );
});
