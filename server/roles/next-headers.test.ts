import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import { sanitizeNextHeaders } from "./next-headers.ts";

const kept = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const given = { ...headers };
  sanitizeNextHeaders(given);
  return given;
};
const state = encodeURIComponent(JSON.stringify(["", { children: ["wallet", { children: ["__PAGE__", {}] }] }]));

describe("internal headers of Next", () => {
  test("headers that Next's router sends from browsers are kept", () => {
    const sent = {
      rsc: "1",
      "next-router-state-tree": state,
      "next-router-prefetch": "1",
      "next-router-segment-prefetch": "/_tree",
      "next-url": "/wallet",
    };
    expect(kept(sent)).toEqual(sent);
  });

  test.each([
    ["that isn't JSON", "%7Bx"],
    ["that can't be decoded", "%E0%A4%A"],
    ["of another shape", "%5B1%5D"],
    ["that is empty", ""],
    ["that is too long", encodeURIComponent(`["${"x".repeat(50_000)}",{}]`)],
  ])("a router state %s is removed", (_, text) => {
    expect(kept({ rsc: "1", "next-router-state-tree": text })).toEqual({ rsc: "1" });
  });

  test.each([
    "next-action",
    "next-resume",
    "next-hmr-refresh",
    "x-nextjs-data",
    "x-nextjs-postponed",
    "x-next-cache-tags",
    "x-next-resume-state-length",
    "x-middleware-subrequest",
    "x-middleware-rewrite",
    "x-middleware-prefetch",
    "x-invoke-path",
    "x-matched-path",
    "x-now-route-matches",
    "x-prerender-revalidate",
    "x-action-revalidated",
  ])("%s is removed", (name) => {
    expect(kept({ [name]: "1", accept: "*/*" })).toEqual({ accept: "*/*" });
  });

  test("other headers are kept", () => {
    const sent = { cookie: "a=b", "x-request-id": "1", "x-nexting": "1", nextcloud: "1", dpop: "x" };
    expect(kept(sent)).toEqual(sent);
  });
});
