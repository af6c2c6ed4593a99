import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import { removePasskey } from "../passkeys/remove-passkey.ts";
import {
  auditOf,
  codeOf,
  enter,
  info,
  mailKindsTo,
  makeAccount,
  newPassword,
  oldPassword,
  openSessionOf,
  pairOf,
} from "../security.fixture.ts";
import { findSession } from "../sessions/find-session.ts";
import { revokeOtherSessions } from "../sessions/revoke-other-sessions.ts";
import { changePassword } from "./change-password.ts";
import { removePassword } from "./remove-password.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const { requestId } = info;
type Account = Awaited<ReturnType<typeof makeAccount>>;

const change = (account: Account, sessionId: string, options: { password?: string; endsOthers?: boolean } = {}) =>
  changePassword(deps, {
    account,
    sessionId,
    cookieHeader: null,
    password: options.password ?? newPassword,
    endsOthers: options.endsOthers ?? false,
    requestId,
  });

const addPasskey = async (accountId: string): Promise<string> => {
  const id = newId("psk");
  const passkey = { id, accountId, credentialId: id, publicKey: Buffer.from("x"), counter: 0, transports: [] };
  await deps.db.prisma.passkey.create({
    data: { ...passkey, name: "Phone", isBackedUp: false, createdAt: deps.clock.now() },
  });
  return id;
};

const isLive = async (setCookie: string) => (await findSession(deps, pairOf(setCookie))) !== null;

describe("change of password (docs/spec/portal.md, Password)", () => {
  it("keeps the other sessions or, on request, ends them; this session continues", async () => {
    const account = await makeAccount(deps);
    const [own, other] = [await enter(deps, account.email), await enter(deps, account.email)];
    expect((await change(account, own.sessionId)).endedSessions).toBe(0);
    expect([await isLive(own.setCookie), await isLive(other.setCookie)]).toEqual([true, true]);
    const again = await change(account, own.sessionId, { password: `${newPassword}!`, endsOthers: true });
    expect(again.endedSessions).toBe(1);
    expect([await isLive(own.setCookie), await isLive(other.setCookie)]).toEqual([true, false]);
    expect(await codeOf(enter(deps, account.email, { password: oldPassword }))).toBe("sign_in_refused");
    expect(await codeOf(change(account, other.sessionId))).toBe("session_not_found");
    expect(await auditOf(deps, account.id)).toEqual(
      expect.arrayContaining(["password.changed", "password.changed", "session.refused"]),
    );
    expect((await mailKindsTo(deps, account.email)).filter((kind) => kind === "password_changed")).toHaveLength(2);
  });

  it("keeps this browser known to the account", async () => {
    const account = await makeAccount(deps);
    const { sessionId } = await enter(deps, account.email);
    const { knownBrowserCookie } = await change(account, sessionId);
    for (let tries = 0; tries < 10; tries++) await codeOf(enter(deps, account.email, { password: "wrong" }));
    expect(await codeOf(enter(deps, account.email, { password: newPassword }))).toBe("too_many_attempts");
    const cookieHeader = pairOf(knownBrowserCookie);
    expect(await codeOf(enter(deps, account.email, { password: newPassword, cookieHeader }))).toBe("done");
  });

  it("sets the first password of an account that has only passkeys", async () => {
    const account = await makeAccount(deps, { hasPassword: false });
    await change(account, await openSessionOf(deps, account));
    expect(await codeOf(enter(deps, account.email, { password: newPassword }))).toBe("done");
    expect(await auditOf(deps, account.id)).toContain("password.set");
  });

  it.each([
    ["short", "password_too_short"],
    ["passwordpassword", "password_common"],
  ])("refuses %s with an error at the password field", async (password, code) => {
    const attempt = change(await makeAccount(deps), "ses_none", { password });
    await expect(attempt).rejects.toMatchObject({ code, errors: [{ pointer: "/password" }] });
  });

  it("refuses a password that contains the address", async () => {
    const account = await makeAccount(deps);
    expect(await codeOf(change(account, "ses_none", { password: `x${account.email.toUpperCase()}` }))).toBe(
      "password_has_email",
    );
  });
});

describe("removing the password or the last passkey", () => {
  const remove = async (account: Account) => {
    const sessionId = await openSessionOf(deps, account);
    return removePassword(deps, { account, sessionId, cookieHeader: null, requestId });
  };
  const removeKey = async (account: Account, passkeyId: string) =>
    removePasskey(deps, { account, sessionId: await openSessionOf(deps, account), passkeyId, requestId });

  it("removes the password only while a passkey remains", async () => {
    const account = await makeAccount(deps);
    expect(await codeOf(remove(account))).toBe("passkey_needed");
    const passkeyId = await addPasskey(account.id);
    expect(await codeOf(remove(account))).toBe("done");
    expect(await codeOf(remove(account))).toBe("no_password");
    expect(await codeOf(enter(deps, account.email))).toBe("sign_in_refused");
    expect(await codeOf(removeKey(account, passkeyId))).toBe("last_passkey");
    expect(await deps.db.prisma.passkey.count({ where: { accountId: account.id } })).toBe(1);
  });

  it("leaves one way to sign in when both are removed concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const account = await makeAccount(deps);
      const passkeyId = await addPasskey(account.id);
      const outcomes = await Promise.all([codeOf(remove(account)), codeOf(removeKey(account, passkeyId))]);
      expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    }
  });
});

describe("ending all other sessions", () => {
  it("ends every session of the account except this one, and audits each", async () => {
    const [account, stranger] = [await makeAccount(deps), await makeAccount(deps)];
    const sessions = [];
    for (let count = 0; count < 3; count++) sessions.push(await enter(deps, account.email));
    const foreign = await enter(deps, stranger.email);
    const [own] = sessions;
    const ended = await revokeOtherSessions(deps, {
      accountId: account.id,
      sessionId: own?.sessionId ?? "",
      requestId,
    });
    expect(ended).toEqual({ endedSessions: 2 });
    const live = await Promise.all(sessions.map(({ setCookie }) => isLive(setCookie)));
    expect([...live, await isLive(foreign.setCookie)]).toEqual([true, false, false, true]);
    expect(await auditOf(deps, sessions[1]?.sessionId ?? "")).toEqual(["session.opened", "session.revoked"]);
  });
});
