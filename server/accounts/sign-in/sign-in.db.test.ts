import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import { findSession } from "../sessions/find-session.ts";
import { listSessions } from "../sessions/list-sessions.ts";
import { revokeSession } from "../sessions/revoke-session.ts";
import { signOut } from "../sessions/sign-out.ts";
import { hashPassword } from "./passwords.ts";
import { signInToAccount } from "./sign-in.fixture.ts";

let deps: TestDeps;
const info = { requestId: "req_test", ipAddress: "203.0.113.9", userAgent: "Vitest" };
const password = "correct horse battery";

const makeAccount = async (options: { isDemo?: boolean } = {}) => {
  const id = newId("acc");
  const email = `${id.toLowerCase()}@example.test`;
  await deps.db.prisma.account.create({
    data: {
      id,
      email,
      displayName: "Ada",
      passwordHash: await hashPassword(password),
      isDemo: options.isDemo ?? false,
      createdAt: deps.clock.now(),
    },
  });
  return { id, email };
};

const codeOf = (error: { code: string }): string => error.code;
const cookieOf = (setCookie: string): string => setCookie.split(";")[0] ?? "";
const enter = (email: string, options: { password?: string; cookieHeader?: string; ipAddress?: string } = {}) =>
  signInToAccount(deps, {
    email,
    password: options.password ?? password,
    cookieHeader: options.cookieHeader ?? null,
    info: { ...info, ipAddress: options.ipAddress ?? info.ipAddress },
  });

beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

describe("signing in (docs/spec/portal.md, Sign-in)", () => {
  it("opens a session and returns its cookie, ignoring the case of the e-mail address", async () => {
    const account = await makeAccount();
    const { setCookie } = await enter(` ${account.email.toUpperCase()} `);
    const session = await findSession(deps, cookieOf(setCookie));
    expect(session?.account).toMatchObject({ id: account.id, email: account.email });
    expect(session?.authTime).toEqual(deps.clock.now());
  });

  it("stores only the hash of the secret", async () => {
    const account = await makeAccount();
    const { setCookie, sessionId } = await enter(account.email);
    const row = await deps.db.prisma.session.findUniqueOrThrow({ where: { id: sessionId } });
    expect(JSON.stringify(row)).not.toContain(cookieOf(setCookie).split("=")[1]);
  });

  it("ends the browser's previous session (rotation)", async () => {
    const account = await makeAccount();
    const first = await enter(account.email);
    const second = await enter(account.email, { cookieHeader: cookieOf(first.setCookie) });
    expect(await findSession(deps, cookieOf(first.setCookie))).toBeNull();
    expect(await findSession(deps, cookieOf(second.setCookie))).not.toBeNull();
  });

  it("gives an unknown account and a wrong password the same answer", async () => {
    const account = await makeAccount();
    const errors = await Promise.all(
      [enter(account.email, { password: "wrong" }), enter("unknown@example.test")].map((attempt) =>
        attempt.catch((error: unknown) => String(error)),
      ),
    );
    expect(errors[0]).toBe(errors[1]);
    expect(errors[0]).toContain("E-mail and password don’t match an account");
  });

  it("uses the same CPU time for an unknown account and for a wrong password", async () => {
    const account = await makeAccount();
    const time = async (email: string) => {
      const before = process.cpuUsage();
      await enter(email, { password: "wrong" }).catch(() => {});
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 8; round++) {
      known.push(await time(account.email));
      unknown.push(await time(`unknown-${round}@example.test`));
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[4] ?? 0;
    expect(median(unknown)).toBeGreaterThan(median(known) / 2);
    expect(median(unknown)).toBeLessThan(median(known) * 2);
  });

  it("allows ten of fifty concurrent attempts on one account, then one more per minute", async () => {
    const account = await makeAccount();
    const attempts = Array.from({ length: 50 }, (_, index) =>
      enter(account.email, { password: "wrong", ipAddress: `198.51.100.${index}` }).catch(
        (error: { code: string }) => error.code,
      ),
    );
    const codes = await Promise.all(attempts);
    expect(codes.filter((code) => code === "sign_in_refused")).toHaveLength(10);
    await expect(enter(account.email, { ipAddress: "198.51.100.99" })).rejects.toMatchObject({
      code: "too_many_attempts",
    });
    deps.clock.advance(61);
    await expect(enter(account.email, { ipAddress: "198.51.100.99" })).resolves.toMatchObject({
      accountId: account.id,
    });
  });

  it("accepts a browser that signed in before, despite other people's failed attempts", async () => {
    const account = await makeAccount();
    const wrong = (email: string, ipAddress: string) => enter(email, { password: "wrong", ipAddress }).catch(codeOf);
    const first = await enter(account.email, { ipAddress: "198.51.100.101" });
    await signOut(deps, { cookieHeader: cookieOf(first.setCookie), info });
    for (let tries = 0; tries < 11; tries++) await wrong(account.email, "198.51.100.102");
    for (let tries = 0; tries < 51; tries++) await wrong(`stranger-${tries}@example.test`, "198.51.100.101");
    expect(await enter(account.email, { ipAddress: "198.51.100.103" }).catch(codeOf)).toBe("too_many_attempts");
    const cookieHeader = cookieOf(first.knownBrowserCookie);
    const again = await enter(account.email, { cookieHeader, ipAddress: "198.51.100.101" });
    expect(again.accountId).toBe(account.id);
  });

  it("limits attempts from a known browser too; for other accounts, this browser counts as unknown", async () => {
    const [own, other] = [await makeAccount(), await makeAccount()];
    const cookieHeader = cookieOf((await enter(own.email)).knownBrowserCookie);
    const guess = (email: string) => enter(email, { password: "wrong", cookieHeader }).catch(codeOf);
    const codes: unknown[] = [];
    for (let tries = 0; tries < 12; tries++) codes.push(await guess(own.email));
    expect(codes).toEqual([...Array(10).fill("sign_in_refused"), ...Array(2).fill("too_many_attempts")]);
    for (let tries = 0; tries < 10; tries++) await enter(other.email, { password: "wrong" }).catch(codeOf);
    expect(await guess(other.email)).toBe("too_many_attempts");
    deps.clock.advance(61);
    expect((await enter(own.email, { cookieHeader })).accountId).toBe(own.id);
  });

  it("forgets known browsers after a password change", async () => {
    const account = await makeAccount();
    const cookieHeader = cookieOf((await enter(account.email)).knownBrowserCookie);
    const passwordHash = await hashPassword(password);
    await deps.db.prisma.account.update({ where: { id: account.id }, data: { passwordHash } });
    for (let tries = 0; tries < 10; tries++) await enter(account.email, { password: "wrong" }).catch(codeOf);
    expect(await enter(account.email, { cookieHeader }).catch(codeOf)).toBe("too_many_attempts");
  });

  it.each([
    [
      "a used-up limit recovers at the same rate, from the new time on",
      10,
      ["too_many_attempts", "sign_in_refused", "too_many_attempts"],
    ],
    [
      "the unused part of the limit remains",
      8,
      ["sign_in_refused", "sign_in_refused", "sign_in_refused", "too_many_attempts"],
    ],
  ])("applies the same limit after the clock moved back an hour: %s", async (_title, before, after) => {
    const { email } = await makeAccount();
    const guess = () => enter(email, { password: "wrong", ipAddress: "" }).catch(codeOf);
    for (let tries = 0; tries < before; tries++) expect(await guess()).toBe("sign_in_refused");
    deps.clock.advance(-3600);
    const codes: unknown[] = [];
    for (const _ of after) {
      codes.push(await guess());
      if (codes.length === 1) deps.clock.advance(60);
    }
    expect(codes).toEqual(after);
  });

  it("limits the attempts of an IP address across accounts", async () => {
    const codes: string[] = [];
    for (let index = 0; index < 51; index++) {
      codes.push(
        await enter(`victim-${index}@example.test`, { ipAddress: "192.0.2.1" }).then(
          () => "in",
          (error: { code: string }) => error.code,
        ),
      );
    }
    expect(codes.filter((code) => code === "too_many_attempts")).toHaveLength(1);
  });

  it("treats a demo account as unknown unless BASE_URL is a loopback address (docs/spec/operations.md, Demo data)", async () => {
    const demo = await makeAccount({ isDemo: true });
    const { setCookie } = await enter(demo.email);
    const elsewhere = { ...deps, config: { ...deps.config, isLoopback: false } };
    expect(await findSession(elsewhere, cookieOf(setCookie))).toBeNull();
    await expect(
      signInToAccount(elsewhere, { email: demo.email, password, cookieHeader: null, info }),
    ).rejects.toMatchObject({
      code: "sign_in_refused",
    });
  });
});

describe("ending sessions", () => {
  it("the cookie no longer works after signing out", async () => {
    const account = await makeAccount();
    const { setCookie } = await enter(account.email);
    const cleared = await signOut(deps, { cookieHeader: cookieOf(setCookie), info });
    expect(cleared.setCookie).toContain("Max-Age=0");
    expect(await findSession(deps, cookieOf(setCookie))).toBeNull();
  });

  it("a session ends after 14 days", async () => {
    const account = await makeAccount();
    const { setCookie } = await enter(account.email);
    deps.clock.advance(14 * 24 * 3600);
    expect(await findSession(deps, cookieOf(setCookie))).toBeNull();
  });

  it("lists and revokes only the account's own sessions", async () => {
    const [ada, eve] = await Promise.all([makeAccount(), makeAccount()]);
    const { sessionId } = await enter(ada.email);
    const sessionsOfAda = async () => (await listSessions(deps, { accountId: ada.id, limit: 9 })).sessions;
    expect((await sessionsOfAda()).map(({ id }) => id)).toEqual([sessionId]);
    const revoke = (accountId: string) => revokeSession(deps, { accountId, sessionId, requestId: "req_test" });
    await expect(revoke(eve.id)).rejects.toMatchObject({ code: "session_not_found" });
    await revoke(ada.id);
    expect(await sessionsOfAda()).toEqual([]);
  });

  it("pages the live sessions, most recently used first; a cursor may name an ended session, but not another account's session", async () => {
    const [ada, eve] = await Promise.all([makeAccount(), makeAccount()]);
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      deps.clock.advance(60);
      ids.unshift((await enter(ada.email)).sessionId);
    }
    const pageAfter = async (startingAfter: string | null, accountId = ada.id) => {
      const { sessions, hasMore, count } = await listSessions(deps, { accountId, startingAfter, limit: 2 });
      return [sessions.map(({ id }) => id), hasMore, count];
    };
    const [second = "", fourth = ""] = [ids[1], ids[3]];
    expect(await pageAfter(null)).toEqual([ids.slice(0, 2), true, 5]);
    expect(await pageAfter(second)).toEqual([ids.slice(2, 4), true, 5]);
    expect(await pageAfter(fourth)).toEqual([ids.slice(4), false, 5]);
    await revokeSession(deps, { accountId: ada.id, sessionId: second, requestId: "req_test" });
    expect(await pageAfter(second)).toEqual([ids.slice(2, 4), true, 4]);
    await enter(eve.email);
    expect(await pageAfter(second, eve.id)).toEqual([[], false, 1]);
  });
});
