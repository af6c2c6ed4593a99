import { describe, expect, it } from "vitest";
import { knownBrowserCookie, knownBrowserId, readKnownBrowser, rememberAccount } from "./known-browser.ts";

const key = Buffer.alloc(32, 1);
const now = new Date("2026-11-26T12:00:00Z");
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);
const accountOf = (id: string) => ({ id, passwordHash: `hash of ${id}` });
const by = (id: string, more: { key?: Uint8Array; now?: Date; passwordHash?: string } = {}) => ({
  key: more.key ?? key,
  now: more.now ?? now,
  account: { id, passwordHash: more.passwordHash ?? accountOf(id).passwordHash },
});
const secret = "s".repeat(43);
const browserOf = (...ids: string[]) =>
  ids.reduce((browser, id) => rememberAccount(browser, secret, by(id)), rememberAccount(null, secret, by("acc_first")));
const sentBack = (setCookie: string) => setCookie.split(";")[0] ?? "";

describe("known browser cookie", () => {
  it("has the environment in its name and every attribute that __Host- requires (RFC 6265bis §4.1.3.2)", () => {
    const browser = browserOf();
    expect(knownBrowserCookie("production", browser)).toMatch(
      /^__Host-pg_live_known=[\w.:-]+; Max-Age=15552000; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
    const header = `theme=dark; ${sentBack(knownBrowserCookie("sandbox", browser))}`;
    expect(readKnownBrowser("sandbox", header)).toEqual(browser);
    expect(readKnownBrowser("production", header)).toBeNull();
  });

  it("gives the browser an id only for accounts that it signed in to", () => {
    const browser = browserOf("acc_a", "acc_b");
    const [a, b] = [knownBrowserId(browser, by("acc_a")), knownBrowserId(browser, by("acc_b"))];
    expect(a).toMatch(/^[\w-]{43}$/);
    expect(b).toMatch(/^[\w-]{43}$/);
    expect(a).not.toBe(b);
    expect(knownBrowserId(browser, by("acc_c"))).toBeNull();
    expect(knownBrowserId(null, by("acc_a"))).toBeNull();
  });

  it("keeps the id when the account signs in again, so that a sign-in doesn't reset the limit", () => {
    const browser = browserOf("acc_a");
    const again = rememberAccount(browser, "t".repeat(43), by("acc_a", { now: later(3) }));
    expect(knownBrowserId(again, by("acc_a"))).toBe(knownBrowserId(browser, by("acc_a")));
    expect(again.marks).toHaveLength(2);
  });

  it.each([
    ["a change of the password", by("acc_a", { passwordHash: "another" })],
    ["a change of the master key", by("acc_a", { key: Buffer.alloc(32, 2) })],
    ["180 days", by("acc_a", { now: later(180) })],
  ])("a browser is unknown after %s", (_title, recognition) => {
    expect(knownBrowserId(browserOf("acc_a"), recognition)).toBeNull();
  });

  it("the marks of a browser can't be forged, extended or used with another secret", () => {
    const { marks } = browserOf("acc_a");
    const [mark] = marks;
    expect(mark).toBeDefined();
    const altered = [
      { secret: "t".repeat(43), marks },
      { secret, marks: marks.map(({ mac, expiresDay }) => ({ mac, expiresDay: expiresDay + 1 })) },
      { secret, marks: marks.map(({ expiresDay }) => ({ mac: "m".repeat(43), expiresDay })) },
    ];
    for (const browser of altered) expect(knownBrowserId(browser, by("acc_a"))).toBeNull();
  });

  it("keeps the eight accounts that signed in last, and fits into a cookie", () => {
    const ids = Array.from({ length: 12 }, (_, index) => `acc_${index}`);
    const browser = browserOf(...ids);
    const known = ids.filter((id) => knownBrowserId(browser, by(id)) !== null);
    expect(known).toEqual(ids.slice(-8));
    expect(knownBrowserCookie("production", browser).length).toBeLessThan(600);
    expect(readKnownBrowser("sandbox", sentBack(knownBrowserCookie("sandbox", browser)))).toEqual(browser);
  });

  it.each([
    ["none", null],
    ["a malformed cookie", "__Host-pg_test_known=abc"],
    ["a cookie with nine marks", `__Host-pg_test_known=${secret}${`.${"m".repeat(43)}:20000`.repeat(9)}`],
    ["two cookies with this name", `__Host-pg_test_known=${secret}; __Host-pg_test_known=${secret}`],
  ])("treats %s as no cookie", (_title, header) => expect(readKnownBrowser("sandbox", header)).toBeNull());
});
