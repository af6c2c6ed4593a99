import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../../audit/search-audit.ts";
import { newId } from "../../kernel/ids.ts";
import { findSession } from "../sessions/find-session.ts";
import { revokeSession } from "../sessions/revoke-session.ts";
import { confirmPassword } from "./confirm-password.ts";
import { hashPassword } from "./passwords.ts";
import { signInToAccount } from "./sign-in.fixture.ts";

let deps: TestDeps;
const info = { requestId: "req_test", ipAddress: "203.0.113.9", userAgent: "Vitest" };
const password = "correct horse battery";

beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const makeSession = async () => {
  const accountId = newId("acc");
  const email = `${accountId.toLowerCase()}@example.test`;
  const passwordHash = await hashPassword(password);
  const account = { id: accountId, email, displayName: "Ada", passwordHash, createdAt: deps.clock.now() };
  await deps.db.prisma.account.create({ data: account });
  const { sessionId, setCookie } = await signInToAccount(deps, { email, password, cookieHeader: null, info });
  const cookie = setCookie.split(";")[0] ?? "";
  const confirm = (typed: string, session = sessionId, from = info) =>
    confirmPassword(deps, { accountId, sessionId: session, password: typed, info: from });
  const authTime = async () => (await findSession(deps, cookie))?.authTime;
  return { accountId, email, sessionId, confirm, authTime };
};

/** The audited actions on one resource, oldest first. */
const auditOf = async (subjectId: string): Promise<string[]> => {
  const { entries } = await searchAudit(deps, { subjectId });
  return entries.map(({ action }) => action).reverse();
};

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "done",
    (error: { code?: string }) => error.code ?? String(error),
  );

describe("confirming a risky action with the password (docs/spec/portal.md, Recent authentication)", () => {
  it("renews the proof of identity of this session only, and audits it", async () => {
    const [own, other] = [await makeSession(), await makeSession()];
    const before = await other.authTime();
    deps.clock.advance(600);
    await own.confirm(password);
    expect(await own.authTime()).toEqual(deps.clock.now());
    expect(await other.authTime()).toEqual(before);
    expect(await auditOf(own.sessionId)).toEqual(["session.opened", "session.confirmed"]);
  });

  it("refuses a wrong password and doesn't renew the proof", async () => {
    const own = await makeSession();
    const before = await own.authTime();
    deps.clock.advance(600);
    expect(await codeOf(own.confirm("wrong"))).toBe("password_refused");
    expect(await own.authTime()).toEqual(before);
    expect(await auditOf(own.accountId)).toEqual(["session.refused"]);
  });

  it("allows ten wrong passwords per session, then one more per minute", async () => {
    const own = await makeSession();
    const second = await signInToAccount(deps, { email: own.email, password, cookieHeader: null, info });
    for (let tries = 0; tries < 10; tries++) expect(await codeOf(own.confirm("wrong"))).toBe("password_refused");
    expect(await codeOf(own.confirm(password))).toBe("too_many_attempts");
    expect(await codeOf(own.confirm(password, second.sessionId))).toBe("done");
    deps.clock.advance(60);
    expect(await codeOf(own.confirm(password))).toBe("done");
  });

  it("isn't blocked by other people who know the e-mail address, even from the same network", async () => {
    const own = await makeSession();
    const [near, far] = ["192.0.2.77", "198.51.100.7"].map((ipAddress) => ({ ...info, ipAddress }));
    const trySignIn = (email: string, from = info) =>
      codeOf(signInToAccount(deps, { email, password: "wrong", cookieHeader: null, info: from }));
    for (let tries = 0; tries < 10; tries++) await trySignIn(own.email, far);
    for (let tries = 0; tries < 50; tries++) await trySignIn(`other-${tries}@example.test`, near);
    expect(await trySignIn(own.email, far)).toBe("too_many_attempts");
    expect(await trySignIn("another@example.test", near)).toBe("too_many_attempts");
    expect(await codeOf(own.confirm(password, own.sessionId, near))).toBe("done");
  });

  it("doesn't renew the proof of an ended session or of another account's session", async () => {
    const [own, other] = [await makeSession(), await makeSession()];
    const before = await other.authTime();
    expect(await codeOf(own.confirm(password, other.sessionId))).toBe("session_not_found");
    expect(await other.authTime()).toEqual(before);
    await revokeSession(deps, { accountId: own.accountId, sessionId: own.sessionId, requestId: "r" });
    expect(await codeOf(own.confirm(password))).toBe("session_not_found");
  });
});
