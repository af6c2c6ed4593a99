import { describe, expect, it } from "vitest";
import { readSessionCookie, sessionCookie } from "./session-cookie.ts";

const secret = "s".repeat(43);

describe("session cookie (RFC 6265bis §4.1.3.2)", () => {
  it("names the environment, and has every attribute that __Host- requires", () => {
    expect(sessionCookie("production", secret, 60)).toBe(
      `__Host-pg_live=${secret}; Max-Age=60; Path=/; Secure; HttpOnly; SameSite=Lax`,
    );
    expect(sessionCookie("sandbox", secret, 60)).toMatch(/^__Host-pg_test=/);
  });

  it("is found among other cookies", () => {
    expect(readSessionCookie("sandbox", `theme=dark; __Host-pg_test=${secret}`)).toBe(secret);
  });

  it.each([
    ["the other environment's cookie", `__Host-pg_live=${secret}`],
    ["two cookies with this name", `__Host-pg_test=${secret}; __Host-pg_test=${"t".repeat(43)}`],
    ["a cookie with a short secret", "__Host-pg_test=abc"],
    ["none", null],
  ])("treats %s as no cookie", (_title, header) => expect(readSessionCookie("sandbox", header)).toBeNull());
});
