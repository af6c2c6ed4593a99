import { describe, expect, test } from "vitest";
import { isDomain, judgeRecords, provesClaim } from "./domain.ts";

describe("a domain that can be claimed (docs/spec/directory.md, Domains)", () => {
  test.each(["fresh-market.example", "a.bc", "xn--mnchen-3ya.example", `${"a".repeat(63)}.example`])("%s", (text) => {
    expect(isDomain(text)).toBe(true);
  });

  test.each([
    ["an IPv4 address", "127.0.0.1"],
    ["an IPv6 address", "[::1]"],
    ["a single label", "localhost"],
    ["a port", "market.example:8443"],
    ["a path", "market.example/x"],
    ["credentials", "a@market.example"],
    ["upper case", "Market.example"],
    ["non-ASCII letters", "münchen.example"],
    ["a trailing dot", "market.example."],
    ["a label that ends in a hyphen", "market-.example"],
    ["a label of 64 characters", `${"a".repeat(64)}.example`],
    ["254 characters", `${"a.".repeat(123)}examples`],
    ["nothing", ""],
  ])("isn't %s", (_title, text) => {
    expect(isDomain(text)).toBe(false);
  });
});

describe("what a domain's owner publishes", () => {
  const claim = { participantId: "ptc_a", token: "t" };

  test("proves a claim if it has the participant with exactly the token of the claim, even among other participants", () => {
    expect(provesClaim({ ptc_b: "u", ptc_a: "t" }, claim)).toBe(true);
  });

  test.each([
    ["another token", { ptc_a: "u" }],
    ["another participant", { ptc_b: "t" }],
    ["a list", ["ptc_a", "t"]],
    ["a text", "ptc_a"],
    ["null", null],
    ["a malformed token", { ptc_a: ["t"] }],
  ])("%s proves nothing", (_title, document) => {
    expect(provesClaim(document, claim)).toBe(false);
  });

  test.each([
    ["both resolvers return the record (proved)", [["t"], ["u", "t"]], 2, "proved"],
    ["only one of two resolvers returns the record (missing)", [["t"], ["u"]], 2, "missing"],
    ["the only resolver returns the record, and one is enough (proved)", [["t"]], 1, "proved"],
    ["the only resolver returns the record, but two are needed (unconfirmed)", [["t"]], 2, "unconfirmed"],
    ["the only resolver doesn't return the record (missing)", [["u"]], 2, "missing"],
    ["there is no resolver (unconfirmed)", [], 1, "unconfirmed"],
  ])("judges TXT records: %s", (_title, answers, needed, expected) => {
    expect(judgeRecords(answers, { token: "t", needed })).toBe(expected);
  });

  test("an inherited member proves nothing", () => {
    expect(provesClaim({}, { participantId: "toString", token: String(Object.prototype.toString) })).toBe(false);
  });
});
