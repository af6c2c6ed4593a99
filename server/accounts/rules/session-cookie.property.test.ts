import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clearedSessionCookie, type Environment, readSessionCookie, sessionCookie } from "./session-cookie.ts";

const environment = fc.constantFrom<Environment>("production", "sandbox");
const secret = fc.string({ unit: fc.constantFrom(..."abZ019-_"), minLength: 43, maxLength: 43, size: "max" });
/** Other cookies of the same host, as a browser sends them. */
const others = fc.array(
  fc.tuple(
    fc.constantFrom("theme", "__Host-pg", "pg_live", "x__Host-pg_live"),
    fc.string({ unit: fc.constantFrom(...'ab=" ,%') }),
  ),
  { maxLength: 4 },
);
/** The pair that a browser sends back for a Set-Cookie (RFC 6265 §5.4). */
const pairOf = (setCookie: string) => setCookie.split(";", 1)[0] ?? "";
const header = (pairs: readonly string[]) => pairs.join("; ");

describe("session cookie (RFC 6265 §5.4)", () => {
  test("is read at any position among other cookies", () => {
    fc.assert(
      fc.property(environment, secret, others, fc.nat(4), (where, value, beside, place) => {
        const pairs = beside.map(([name, text]) => `${name}=${text}`);
        pairs.splice(place, 0, pairOf(sessionCookie(where, value, 60)));
        expect(readSessionCookie(where, header(pairs))).toBe(value);
      }),
    );
  });

  test("belongs to one environment: the other environment's cookie is ignored", () => {
    fc.assert(
      fc.property(environment, secret, secret, (where, value, foreign) => {
        const elsewhere = where === "production" ? "sandbox" : "production";
        const theirs = pairOf(sessionCookie(elsewhere, foreign, 60));
        expect(readSessionCookie(where, theirs)).toBeNull();
        expect(readSessionCookie(where, header([theirs, pairOf(sessionCookie(where, value, 60))]))).toBe(value);
      }),
    );
  });

  test("is null for two cookies, a cleared cookie, and a value of another length or alphabet", () => {
    fc.assert(
      fc.property(environment, secret, secret, fc.string(), (where, value, second, text) => {
        const own = pairOf(sessionCookie(where, value, 60));
        const name = own.slice(0, own.indexOf("="));
        expect(readSessionCookie(where, header([own, pairOf(sessionCookie(where, second, 60))]))).toBeNull();
        expect(readSessionCookie(where, pairOf(clearedSessionCookie(where)))).toBeNull();
        expect(readSessionCookie(where, `${name}=${value}a`)).toBeNull();
        const read = readSessionCookie(where, `${name}=${text}`);
        expect(read === null || /^[A-Za-z0-9_-]{43}$/.test(read)).toBe(true);
      }),
    );
  });
});
