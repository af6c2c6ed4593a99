import { expect, test } from "vitest";
import { createAddressLimit } from "./address-limit.ts";

const clock = { now: () => new Date(0) };
const of = (config = { isEmbedded: true, rateLimitLoopback: false }) => ({ config, clock });

test("an address, and its IPv6 network, has so many requests, and is told when it has one again", () => {
  const limit = createAddressLimit({ requests: 2, seconds: 60 });
  expect([limit(of(), "203.0.113.1"), limit(of(), "203.0.113.1")]).toEqual([null, null]);
  expect(limit(of(), "203.0.113.1")).toMatchObject({ code: "too_many_requests", headers: { "retry-after": "30" } });
  expect(limit(of(), "203.0.113.2")).toBeNull();
  for (const address of ["2001:db8::1", "2001:db8::2"]) expect(limit(of(), address)).toBeNull();
  expect(limit(of(), "2001:db8::3")).not.toBeNull();
});

test("loopback is spared by the embedded default alone", () => {
  const limit = createAddressLimit({ requests: 1, seconds: 60 });
  for (let count = 0; count < 3; count++) expect(limit(of(), "127.0.0.1")).toBeNull();
  const asked = of({ isEmbedded: true, rateLimitLoopback: true });
  expect([limit(asked, "127.0.0.1"), limit(asked, "127.0.0.1")]).toMatchObject([null, { code: "too_many_requests" }]);
});
