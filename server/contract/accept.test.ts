import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptsGzip, negotiate } from "./accept.ts";

const offered = ["application/vc+jwt", "application/statuslist+jwt", "application/json"] as const;

describe("negotiate (RFC 9110 §12.5.1)", () => {
  it.each([
    [null, "application/vc+jwt"],
    ["", "application/vc+jwt"],
    ["*/*", "application/vc+jwt"],
    ["application/*", "application/vc+jwt"],
    ["application/json", "application/json"],
    ["APPLICATION/Statuslist+JWT", "application/statuslist+jwt"],
    ["text/html, application/json;q=0.5, application/statuslist+jwt;q=0.6", "application/statuslist+jwt"],
    ["application/vc+jwt;q=0, */*;q=0.1", "application/statuslist+jwt"],
    ["application/*;q=0.2, application/json;q=0.1", "application/vc+jwt"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/vc+jwt"],
    ["application/json;q=nonsense", "application/json"],
    ["text/html", null],
    ["application/vc+jwt;q=0", null],
    ["*/*;q=0", null],
    [",;,/", null],
  ])("for the header %j, chooses %j", (accept, expected) => {
    expect(negotiate(accept, offered)).toBe(expected);
  });

  it("for any text, returns an offered type or null, and never throws", () => {
    fc.assert(fc.property(fc.string(), (accept) => [...offered, null].includes(negotiate(accept, offered))));
  });
});

describe("content codings (RFC 9110 §12.5.3)", () => {
  it.each<[string | null, boolean]>([
    ["gzip", true],
    ["gzip, deflate, br", true],
    ["br;q=1.0, GZIP;q=0.5", true],
    [null, false],
    ["", false],
    ["br", false],
    ["gzip;q=0", false],
    ["gzip; q=0.000, br", false],
    ["x-gzip-like", false],
  ])("%j: %s", (header, expected) => {
    expect(acceptsGzip(header)).toBe(expected);
  });
});
