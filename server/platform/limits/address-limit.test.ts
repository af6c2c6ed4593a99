import { expect, test } from "vitest";
import { createAddressLimit } from "./address-limit.ts";

const of = (config = { isEmbedded: true, rateLimitLoopback: false }) => ({ config });
const standing = () => 0;

test("limits an address or its IPv6 network, and says when the next request is allowed", () => {
  const limit = createAddressLimit({ requests: 2, seconds: 60 }, standing);
  expect([limit(of(), "203.0.113.1"), limit(of(), "203.0.113.1")]).toEqual([null, null]);
  expect(limit(of(), "203.0.113.1")).toMatchObject({ code: "too_many_requests", headers: { "retry-after": "30" } });
  expect(limit(of(), "203.0.113.2")).toBeNull();
  for (const address of ["2001:db8::1", "2001:db8::2"]) expect(limit(of(), address)).toBeNull();
  expect(limit(of(), "2001:db8::3")).not.toBeNull();
});

test("exempts loopback in the embedded default only", () => {
  const limit = createAddressLimit({ requests: 1, seconds: 60 }, standing);
  for (let count = 0; count < 3; count++) expect(limit(of(), "127.0.0.1")).toBeNull();
  const limiter = of({ isEmbedded: true, rateLimitLoopback: true });
  expect([limit(limiter, "127.0.0.1"), limit(limiter, "127.0.0.1")]).toMatchObject([
    null,
    { code: "too_many_requests" },
  ]);
});

test("is independent of the wall clock: a request passes again after the quota's time", () => {
  let now = 0;
  const limit = createAddressLimit({ requests: 1, seconds: 60 }, () => now);
  expect(limit(of(), "203.0.113.5")).toBeNull();
  expect(limit(of(), "203.0.113.5")).not.toBeNull();
  now += 60_000;
  expect(limit(of(), "203.0.113.5")).toBeNull();
});
