import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import { endPayerSessions } from "../../operators/payers/end-payer-sessions.ts";
import { requestReset } from "../password-reset/request-reset.ts";
import { resetPassword } from "../password-reset/reset-password.ts";
import { changePassword } from "../passwords/change-password.ts";
import {
  auditOf,
  codeOf,
  info,
  mailKindsTo,
  mailsTo,
  makeAccount,
  median,
  openSessionOf,
  whileAccountIsLocked,
} from "../security.fixture.ts";
import { revokeSession } from "../sessions/revoke-session.ts";
import { beginEmailChange } from "./begin-email-change.ts";
import { cancelEmailChange } from "./cancel-email-change.ts";
import { confirmEmailCode } from "./confirm-email-code.ts";
import { confirmEmailLink } from "./confirm-email-link.ts";
import { findEmailChange } from "./find-email-change.ts";
import { findEmailChangeOfLink } from "./find-email-change-of-link.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const { requestId } = info;
type Account = Awaited<ReturnType<typeof makeAccount>>;

const newAddress = () => `${newId("acc").toLowerCase()}@new.example`;
/** @returns the result of `beginEmailChange`, and the id of the session that began the change */
const begin = async (account: Account, email: string) => {
  const sessionId = await openSessionOf(deps, account);
  return { sessionId, ...(await beginEmailChange(deps, { account, sessionId, email, requestId })) };
};
const enterCode = (account: Account, code: string) =>
  confirmEmailCode(deps, { accountId: account.id, code, requestId });
const openLink = (token: string) => confirmEmailLink(deps, { token, requestId });
const emailOf = async ({ id }: Account) => (await deps.db.prisma.account.findUniqueOrThrow({ where: { id } })).email;

const secretsTo = async (email: string) => {
  const text = (await mailsTo(deps, email)).at(-1)?.text ?? "";
  return { code: /^(\d{6})$/m.exec(text)?.[1] ?? "", token: /token=([\w-]{43})/.exec(text)?.[1] ?? "" };
};

const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

const beginWithNewAccount = async () => {
  const account = await makeAccount(deps);
  const email = newAddress();
  const { sessionId } = await begin(account, email);
  return { account, email, sessionId, ...(await secretsTo(email)) };
};

describe("change of e-mail address (docs/spec/portal.md, Change of e-mail)", () => {
  it("verifies the new address by code, and sends an e-mail to the old address", async () => {
    const { account, email, code } = await beginWithNewAccount();
    expect(await emailOf(account)).toBe(account.email);
    expect(await findEmailChange(deps, { accountId: account.id })).toMatchObject({ email });
    expect(await enterCode(account, ` ${code.slice(0, 3)} ${code.slice(3)}`)).toEqual({ email });
    expect(await emailOf(account)).toBe(email);
    const [notice] = await mailsTo(deps, account.email);
    expect(notice?.kind).toBe("email_changed");
    expect(notice?.text).toContain("a…@new.example");
    expect(notice?.text).not.toContain(email);
    expect(await auditOf(deps, account.id)).toEqual(["email_change.begun", "account.email_changed"]);
  });

  it("verifies the new address by link; opening the page doesn't consume the link", async () => {
    const { account, email, token } = await beginWithNewAccount();
    const { displayName } = account;
    const maskedEmail = `${account.email.slice(0, 1)}…@${account.email.split("@")[1]}`;
    const found = { email, account: { displayName, maskedEmail } };
    expect(await findEmailChangeOfLink(deps, { token })).toEqual(found);
    expect(await openLink(token)).toEqual({ email });
    expect(await emailOf(account)).toBe(email);
    expect(await findEmailChangeOfLink(deps, { token })).toBeNull();
  });

  it("completes once if the code and the link are used concurrently", async () => {
    const { account, code, token } = await beginWithNewAccount();
    const attempts = [enterCode(account, code), openLink(token), enterCode(account, code), openLink(token)];
    const outcomes = await Promise.all(attempts.map(codeOf));
    expect(outcomes.toSorted()).toEqual(["done", ...Array(3).fill("email_change_gone")]);
    expect(await mailKindsTo(deps, account.email)).toEqual(["email_changed"]);
  });

  it("allows at most five attempts to enter the code, even if they are concurrent", async () => {
    const { account, code } = await beginWithNewAccount();
    const tries = await Promise.all(Array.from({ length: 9 }, () => codeOf(enterCode(account, wrongCode(code)))));
    expect(tries.filter((outcome) => outcome === "email_code_wrong")).toHaveLength(5);
    expect(await codeOf(enterCode(account, code))).toBe("email_change_gone");
    expect(await emailOf(account)).toBe(account.email);
  });

  it("ends when an operator ends the account's sessions, when the password is reset, or when it is changed in another session", async () => {
    const actor = { kind: "operator", id: "acc_operator" } as const;
    const signedOut = await beginWithNewAccount();
    await endPayerSessions(deps, { accountId: signedOut.account.id, reason: "Stolen laptop", actor, requestId });
    expect(await codeOf(openLink(signedOut.token))).toBe("email_change_gone");
    const reset = await beginWithNewAccount();
    const cookieHeader = null;
    await requestReset(deps, { email: reset.account.email, returnTo: "/wallet", locale: "en-GB", cookieHeader, info });
    const text =
      (await mailsTo(deps, reset.account.email)).findLast(({ kind }) => kind === "password_reset")?.text ?? "";
    const resetToken = /token=([\w-]{43})/.exec(text)?.[1] ?? "";
    const password = "a long passphrase of mine";
    await resetPassword(deps, { token: resetToken, password, cookieHeader, info });
    expect(await codeOf(openLink(reset.token))).toBe("email_change_gone");
    const changed = await beginWithNewAccount();
    const sessionId = await openSessionOf(deps, changed.account);
    const by = { account: changed.account, sessionId, cookieHeader, endsOthers: false, requestId };
    await changePassword(deps, { ...by, password });
    expect(await codeOf(openLink(changed.token))).toBe("email_change_gone");
  });

  it("ends with the session that began it, but survives a password change in that session", async () => {
    const ended = await beginWithNewAccount();
    await revokeSession(deps, { accountId: ended.account.id, sessionId: ended.sessionId, requestId });
    expect(await findEmailChange(deps, { accountId: ended.account.id })).toBeNull();
    expect(await codeOf(enterCode(ended.account, ended.code))).toBe("email_change_gone");
    expect(await codeOf(openLink(ended.token))).toBe("email_change_gone");
    const kept = await beginWithNewAccount();
    const by = { account: kept.account, sessionId: kept.sessionId, cookieHeader: null, endsOthers: true, requestId };
    await changePassword(deps, { ...by, password: "a long passphrase of mine" });
    expect(await codeOf(openLink(kept.token))).toBe("done");
  });

  it("ends after 15 minutes, when it is canceled, or when another change begins", async () => {
    const expired = await beginWithNewAccount();
    deps.clock.advance(900);
    expect(await codeOf(enterCode(expired.account, expired.code))).toBe("email_change_gone");
    expect(await codeOf(openLink(expired.token))).toBe("email_change_gone");
    const canceled = await beginWithNewAccount();
    await cancelEmailChange(deps, { accountId: canceled.account.id, requestId });
    expect(await codeOf(openLink(canceled.token))).toBe("email_change_gone");
    const replaced = await beginWithNewAccount();
    await begin(replaced.account, newAddress());
    expect(await codeOf(openLink(replaced.token))).toBe("email_change_gone");
  });

  it("gives the same answer whether or not the address has an account, and sends an e-mail without a code to an address that has one", async () => {
    const [account, other] = [await makeAccount(deps), await makeAccount(deps)];
    const answers = [await begin(account, other.email), await begin(account, newAddress())];
    expect(answers[0]?.expiresAt).toEqual(answers[1]?.expiresAt);
    await begin(account, other.email);
    const mails = await mailsTo(deps, other.email);
    expect(mails.map(({ kind }) => kind)).toEqual(["email_change_taken", "email_change_taken"]);
    expect(mails[0]?.text).not.toMatch(/\d{6}|token=/);
    expect(await findEmailChange(deps, { accountId: account.id })).toMatchObject({ email: other.email });
    expect(await codeOf(enterCode(account, "000000"))).toBe("email_code_wrong");
  });

  it("takes about the same time for a taken address and a free address", async () => {
    const other = await makeAccount(deps);
    const time = async (email: string) => {
      const account = await makeAccount(deps);
      const before = performance.now();
      await begin(account, email);
      return performance.now() - before;
    };
    const [free, taken]: [number[], number[]] = [[], []];
    for (let round = 0; round < 15; round++) {
      free.push(await time(newAddress()));
      taken.push(await time(other.email));
    }
    const ratio = median(taken) / median(free);
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });

  it("lets only one of two accounts change to the same address", async () => {
    const email = newAddress();
    const accounts = [await makeAccount(deps), await makeAccount(deps)];
    const codes: string[] = [];
    for (const account of accounts) {
      deps.clock.advance(1);
      await begin(account, email);
      codes.push((await secretsTo(email)).code);
    }
    const outcomes = await Promise.all(
      accounts.map((account, index) => codeOf(enterCode(account, codes[index] ?? ""))),
    );
    expect(outcomes.toSorted()).toEqual(["done", "email_taken"]);
    expect(await deps.db.prisma.account.count({ where: { email } })).toBe(1);
  });

  it("ends open reset links, because they were sent to the old address", async () => {
    const { account, code } = await beginWithNewAccount();
    await requestReset(deps, { email: account.email, returnTo: "/", locale: "en-GB", cookieHeader: null, info });
    await enterCode(account, code);
    expect(await deps.db.prisma.passwordReset.count({ where: { accountId: account.id, usedAt: null } })).toBe(0);
  });

  it("doesn't deadlock with a concurrent password reset: the first to commit cancels the other", async () => {
    const { account, code } = await beginWithNewAccount();
    await requestReset(deps, { email: account.email, returnTo: "/", locale: "en-GB", cookieHeader: null, info });
    const { token } = await secretsTo(account.email);
    const reset = () => resetPassword(deps, { token, password: "staple on a blue moon", cookieHeader: null, info });
    const outcomes = await whileAccountIsLocked(deps, account.id, [reset, () => enterCode(account, code)]);
    expect(outcomes).toEqual(["done", "email_change_gone"]);
  });

  it.each([
    ["not an address", "email_invalid"],
    ["", "email_invalid"],
  ])("refuses %j", async (email, code) => {
    expect(await codeOf(begin(await makeAccount(deps), email))).toBe(code);
  });

  it("refuses the current address, and a sixth change in a short time", async () => {
    const account = await makeAccount(deps);
    expect(await codeOf(begin(account, account.email.toUpperCase()))).toBe("email_unchanged");
    const outcomes: string[] = [];
    for (let tries = 0; tries < 6; tries++) outcomes.push(await codeOf(begin(account, newAddress())));
    expect(outcomes).toEqual([...Array(5).fill("done"), "too_many_attempts"]);
  });
});
