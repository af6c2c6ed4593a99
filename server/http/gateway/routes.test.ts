import { describe, expect, test } from "vitest";
import { matchRoute, type Route } from "./routes.ts";

const route = (pattern: string): Route => ({ pattern, segments: pattern.split("/").slice(1), handlers: {} });
const routes = ["/oauth/par", "/oauth/status-list/newest", "/oauth/status-list/[list_id]", "/status/v1/[...path]"].map(
  route,
);
const patternOf = (pathname: string) => matchRoute(routes, pathname)?.route.pattern ?? null;

describe("a path is served by the route file that Next would choose", () => {
  test.each([
    ["/oauth/par", "/oauth/par"],
    ["/oauth/par/", null],
    ["/oauth/PAR", null],
    ["/oauth/par/x", null],
    ["/oauth/status-list/newest", "/oauth/status-list/newest"],
    ["/oauth/status-list/token-1", "/oauth/status-list/[list_id]"],
    ["/oauth/status-list/", null],
    ["/oauth/status-list/%ff", null],
    ["/status/v1/a/b", "/status/v1/[...path]"],
    ["/status/v1", null],
    ["/", null],
  ])("%s → %s", (pathname, pattern) => {
    expect(patternOf(pathname)).toBe(pattern);
  });

  test("values of named segments are decoded once", () => {
    expect(matchRoute(routes, "/oauth/status-list/a%20b%2520")?.params).toEqual({ list_id: "a b%20" });
    expect(matchRoute(routes, "/status/v1/a/b")?.params).toEqual({ path: ["a", "b"] });
  });
});
