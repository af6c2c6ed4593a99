import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Tx } from "../../data/client.ts";
import {
  auditOf,
  codeOf,
  enter,
  info,
  mailKindsTo,
  mailsTo,
  makeAccount,
  median,
  newPassword,
  oldPassword,
  pairOf,
  whileAccountIsLocked,
} from "../security.fixture.ts";
import { findSession } from "../sessions/find-session.ts";
import { confirmPassword } from "../sign-in/confirm-password.ts";
import { signIn } from "../sign-in/sign-in.ts";
import { findReset } from "./find-reset.ts";
import { requestReset } from "./request-reset.ts";
import { resetPassword } from "./reset-password.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const ask = (email: string, options: { cookieHeader?: string; ipAddress?: string; locale?: string } = {}) =>
  requestReset(deps, {
    email,
    returnTo: "/consent/abc",
    locale: options.locale ?? "en-GB",
    cookieHeader: options.cookieHeader ?? null,
    info: { ...info, ipAddress: options.ipAddress ?? "" },
  });

const tokenTo = async (email: string): Promise<string> => {
  const text = (await mailsTo(deps, email)).findLast(({ kind }) => kind === "password_reset")?.text ?? "";
  return /token=([\w-]{43})/.exec(text)?.[1] ?? "";
};

const reset = (token: string, password = newPassword, cookieHeader: string | null = null) =>
  resetPassword(deps, { token, password, cookieHeader, info });

const requested = async (options: Parameters<typeof makeAccount>[1] = {}) => {
  const account = await makeAccount(deps, options);
  await ask(account.email);
  return { account, token: await tokenTo(account.email) };
};

describe("requesting a reset (docs/spec/portal.md, Password reset)", () => {
  it("sends a link that names the page to return to, and stores only the hash of its token", async () => {
    const { account, token } = await requested();
    const [mail] = await mailsTo(deps, account.email);
    expect(mail?.text).toContain(`https://wallet.test/reset/password?token=${token}&return_to=%2Fconsent%2Fabc`);
    expect(mail?.obsoleteAfter?.getTime()).toBe(deps.clock.now().getTime() + 1_800_000);
    const rows = await deps.db.prisma.passwordReset.findMany({ where: { accountId: account.id } });
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(await auditOf(deps, account.id)).toEqual(["password_reset.requested"]);
  });

  it("for an address without an account, sends an e-mail without a reset link, in the language of the page", async () => {
    await ask("unknown@example.test", { locale: "de-DE" });
    const [mail] = await mailsTo(deps, "unknown@example.test");
    expect(mail?.kind).toBe("reset_unknown");
    expect(mail?.subject).toContain("kein Konto");
    expect(mail?.text).not.toContain("token=");
  });

  it("takes about the same time for an unknown address and a known address", async () => {
    const time = async (email: string) => {
      const before = performance.now();
      await ask(email);
      return performance.now() - before;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 15; round++) {
      known.push(await time((await makeAccount(deps)).email));
      unknown.push(await time(`unknown-${round}@example.test`));
    }
    const ratio = median(known) / median(unknown);
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });

  it("has its own limits, which are the same for unknown addresses and don't affect a known browser", async () => {
    const account = await makeAccount(deps);
    const { knownBrowserCookie } = await enter(deps, account.email);
    for (const email of [account.email, "stranger@example.test"]) {
      const codes: string[] = [];
      for (let tries = 0; tries < 4; tries++) codes.push(await codeOf(ask(email)));
      expect(codes).toEqual([...Array(3).fill("done"), "too_many_attempts"]);
    }
    expect(await codeOf(ask(account.email, { cookieHeader: pairOf(knownBrowserCookie) }))).toBe("done");
    expect(await codeOf(enter(deps, account.email))).toBe("done");
  });

  it("sends no link to the address of the probe's account", async () => {
    const probe = await makeAccount(deps, { isProbe: true });
    await ask(probe.email);
    expect(await mailKindsTo(deps, probe.email)).toEqual(["reset_unknown"]);
  });

  it("sends no mail to a text that isn't an address", async () => {
    const before = await deps.db.prisma.mail.count();
    await ask("not an address");
    expect(await deps.db.prisma.mail.count()).toBe(before);
  });
});

describe("choosing a new password", () => {
  it("shows the address of a link without consuming the link", async () => {
    const { account, token } = await requested();
    expect(await findReset(deps, { token })).toEqual({ email: account.email });
    expect(await findReset(deps, { token: "x".repeat(43) })).toBeNull();
    expect(await codeOf(reset(token))).toBe("done");
    expect(await findReset(deps, { token })).toBeNull();
  });

  it("replaces the password, ends all sessions and recovery codes, signs this browser in and informs the owner", async () => {
    const account = await makeAccount(deps);
    const [accountId, createdAt] = [account.id, deps.clock.now()];
    await deps.db.prisma.recoveryCode.create({ data: { accountId, codeHash: "hash", createdAt } });
    const [old, own] = [await enter(deps, account.email), await enter(deps, account.email)];
    await ask(account.email);
    const signedIn = await reset(await tokenTo(account.email), newPassword, pairOf(own.setCookie));
    for (const { setCookie } of [old, own]) expect(await findSession(deps, pairOf(setCookie))).toBeNull();
    expect((await findSession(deps, pairOf(signedIn.setCookie)))?.account.id).toBe(account.id);
    expect(await codeOf(enter(deps, account.email, { password: oldPassword }))).toBe("sign_in_refused");
    expect(await codeOf(enter(deps, account.email, { password: newPassword }))).toBe("done");
    expect(await deps.db.prisma.recoveryCode.count({ where: { accountId } })).toBe(0);
    expect(await mailKindsTo(deps, account.email)).toContain("password_changed");
    expect(await auditOf(deps, account.id)).toContain("password.reset");
    const events = await deps.db.prisma.signInEvent.findMany({ where: { accountId: account.id } });
    expect(events.map(({ outcome }) => outcome)).toContain("reset");
  });

  it("verifies the address, and sets the first password of an account that has only passkeys", async () => {
    const { account, token } = await requested({ hasPassword: false });
    await reset(token);
    const row = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: account.id } });
    expect(row.emailVerifiedAt).toEqual(deps.clock.now());
    expect(await codeOf(enter(deps, account.email, { password: newPassword }))).toBe("done");
  });

  it("accepts a link once, even if it is used concurrently, and ends the account's other links", async () => {
    const { account, token } = await requested();
    deps.clock.advance(1);
    await ask(account.email);
    const other = await tokenTo(account.email);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => codeOf(reset(token))));
    expect(outcomes.toSorted()).toEqual(["done", ...Array(3).fill("reset_link_gone")]);
    expect(other).not.toBe(token);
    expect(await codeOf(reset(other))).toBe("reset_link_gone");
  });

  it("accepts only one of two links of an account that are used concurrently", async () => {
    const { account, token } = await requested();
    deps.clock.advance(1);
    await ask(account.email);
    const other = await tokenTo(account.email);
    const outcomes = await whileAccountIsLocked(deps, account.id, [() => reset(token), () => reset(other)]);
    expect(outcomes.toSorted()).toEqual(["done", "reset_link_gone"]);
  });

  it("refuses a sign-in and a confirmation if the password is reset after they verified the old one", async () => {
    const { account, token } = await requested();
    const { sessionId } = await enter(deps, account.email);
    const late = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      await codeOf(reset(token));
      return deps.db.transaction(work);
    };
    const slow: TestDeps = { ...deps, db: { ...deps.db, transaction: late } };
    const typed = { password: oldPassword, info };
    expect(await codeOf(signIn(slow, { email: account.email, cookieHeader: null, ...typed }))).toBe("sign_in_refused");
    const confirmation = confirmPassword(slow, { accountId: account.id, sessionId, ...typed });
    expect(await codeOf(confirmation)).toBe("password_refused");
  });

  it("refuses a link after 30 minutes", async () => {
    const { token } = await requested();
    deps.clock.advance(1_800);
    expect(await codeOf(reset(token))).toBe("reset_link_gone");
  });

  it.each([
    ["elevenchars", "password_too_short"],
    ["x".repeat(129), "password_too_long"],
    ["123456789012", "password_common"],
  ])("refuses the password %s and keeps the link", async (password, code) => {
    const { token } = await requested();
    expect(await codeOf(reset(token, password))).toBe(code);
    expect(await codeOf(reset(token))).toBe("done");
  });

  it("refuses the token of a request for an unknown address", async () => {
    await ask("someone@example.test");
    expect(await deps.db.prisma.passwordReset.count({ where: { accountId: null } })).toBeGreaterThan(0);
    expect(await codeOf(reset(""))).toBe("reset_link_gone");
  });
});
