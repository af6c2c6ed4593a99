import { describe, expect, test } from "vitest";
import { meetsAuthentication } from "./authentication.ts";

const now = new Date("2026-11-21T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const password = "urn:paygrant:acr:password";

describe("an authentication (RFC 9470 §5; docs/spec/portal.md, Recent authentication: at most 5 minutes for consent)", () => {
  type Row = [string, boolean, { proof: number; maxAge?: number; acrValues?: string[]; opened?: number }];
  test.each<Row>([
    ["just made", true, { proof: 0 }],
    ["300 s old", true, { proof: 300 }],
    ["301 s old", false, { proof: 301 }],
    ["301 s old, although max_age allows an hour", false, { proof: 301, maxAge: 3600 }],
    ["60 s old, with max_age 60", true, { proof: 60, maxAge: 60 }],
    ["61 s old, with max_age 60", false, { proof: 61, maxAge: 60 }],
    ["made before the request was opened, with max_age 0", false, { proof: 11, maxAge: 0, opened: 10 }],
    ["made since the request was opened, with max_age 0", true, { proof: 9, maxAge: 0, opened: 10 }],
    ["made since the request was opened, and over 5 minutes old", false, { proof: 400, maxAge: 0, opened: 500 }],
    ["of a requested kind", true, { proof: 0, acrValues: ["urn:other", password] }],
    ["of a kind that isn't requested", false, { proof: 0, acrValues: ["urn:other"] }],
  ])("an authentication %s: sufficient %s", (_title, isEnough, { proof, maxAge, acrValues = [], opened }) => {
    const requested = { maxAgeSeconds: maxAge ?? null, acrValues };
    const openedAt = opened === undefined ? null : ago(opened);
    expect(meetsAuthentication({ authTime: ago(proof), acr: password }, requested, { openedAt, now })).toBe(isEnough);
  });
});
