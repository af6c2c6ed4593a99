import { describe, expect, test } from "vitest";
import { meetsAuthentication } from "./authentication.ts";

const now = new Date("2026-11-21T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const password = "urn:paygrant:acr:password";

describe("whether a proof of authentication is sufficient (RFC 9470 §5; docs/spec/portal.md, Recent authentication: at most 5 minutes for consent)", () => {
  type Row = [string, { proof: number; maxAge?: number; acrValues?: string[]; opened?: number }, boolean];
  test.each<Row>([
    ["just made", { proof: 0 }, true],
    ["of 300 s", { proof: 300 }, true],
    ["of 301 s", { proof: 301 }, false],
    ["of 301 s, although max_age allows an hour", { proof: 301, maxAge: 3600 }, false],
    ["of 60 s, max_age 60", { proof: 60, maxAge: 60 }, true],
    ["of 61 s, max_age 60", { proof: 61, maxAge: 60 }, false],
    ["from before the request was opened, max_age 0", { proof: 11, maxAge: 0, opened: 10 }, false],
    ["made since the request was opened, max_age 0", { proof: 9, maxAge: 0, opened: 10 }, true],
    ["made since the request was opened, and over 5 minutes old", { proof: 400, maxAge: 0, opened: 500 }, false],
    ["of a requested kind", { proof: 0, acrValues: ["urn:other", password] }, true],
    ["of a kind that isn't requested", { proof: 0, acrValues: ["urn:other"] }, false],
  ])("%s", (_title, { proof, maxAge, acrValues = [], opened }, isEnough) => {
    const requested = { maxAgeSeconds: maxAge ?? null, acrValues };
    const openedAt = opened === undefined ? null : ago(opened);
    expect(meetsAuthentication({ authTime: ago(proof), acr: password }, requested, { openedAt, now })).toBe(isEnough);
  });
});
