import { describe, expect, it } from "vitest";
import { safeReturnTo } from "./return-to.ts";

describe("the path after a sign-in (RFC 9700 §4.11: no open redirector)", () => {
  it.each([
    ["/consent/abc?x=1#y", "/consent/abc?x=1#y"],
    ["/", "/"],
    ["/wallet/mandates/mdt_1", "/wallet/mandates/mdt_1"],
  ])("keeps the path %s", (text, expected) => expect(safeReturnTo(text)).toBe(expected));

  it.each([
    null,
    "",
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/.//evil.example",
    "/%2e//evil.example",
    "/wallet/..//evil.example/path",
    "\\\\evil.example",
    "/\t/evil.example",
    "/a\\..\\evil",
    "/a\nSet-Cookie: x=1",
    "javascript:alert(1)",
    "wallet",
    `/${"a".repeat(2_001)}`,
  ])("replaces %j with the path of the wallet", (text) => expect(safeReturnTo(text)).toBe("/wallet"));
});
