import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { requestReset } from "../password-reset/request-reset.ts";
import { resetPassword } from "../password-reset/reset-password.ts";
import { findSession } from "../sessions/find-session.ts";
import { hashPassword } from "../sign-in/passwords.ts";
import { signIn } from "../sign-in/sign-in.ts";
import { admitSignUp } from "./admit-sign-up.ts";
import { beginSignUp } from "./begin-sign-up.ts";
import { confirmSignUp, findSignUpOfLink } from "./confirm-sign-up.ts";
import { finishSignUpByPassword } from "./finish-sign-up.ts";
import { inviteToSignUp } from "./invite-to-sign-up.ts";
import { requestSignUpCode } from "./request-sign-up-code.ts";
import {
  beginAs,
  createPasskeyAs,
  freshEmail,
  info,
  makeOpenRequest,
  password,
  readMail,
  signUpAs,
} from "./sign-up.fixture.ts";
import { verifySignUp } from "./verify-sign-up.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: { code: string }) => error.code,
  );
const accountOf = (email: string) => deps.db.prisma.account.findUnique({ where: { email } });
const type = (cookieHeader: string, code: string) => verifySignUp(deps, { code, cookieHeader, info });
const otherCode = (code: string): string => (code === "000000" ? "000001" : "000000");
const makeOwner = async () => {
  const { id } = await makePayer(deps);
  const passwordHash = await hashPassword("the owner's own password");
  return deps.db.prisma.account.update({ where: { id }, data: { passwordHash } });
};

describe("signing up with a password (docs/spec/portal.md, Sign-up)", () => {
  test("the code creates the account with the browser's language and time zone, and signs in", async () => {
    const { email, cookieHeader } = await beginAs(deps);
    expect(await accountOf(email)).toBeNull();
    const { code, kind, subject } = await readMail(deps, email);
    expect([kind, code]).toEqual(["verification", expect.stringMatching(/^\d{6}$/)]);
    // The outbox and the export show subjects.
    expect(subject).not.toMatch(/\d/);
    const outcome = await type(cookieHeader, ` ${code.slice(0, 3)}-${code.slice(3)} `);
    if (outcome.kind !== "signed_in") throw new Error(outcome.kind);
    const account = await accountOf(email);
    expect(account).toMatchObject({
      id: outcome.accountId,
      displayName: "Grace Hopper",
      locale: "de-DE",
      timeZone: "Europe/Berlin",
      emailVerifiedAt: deps.clock.now(),
    });
    const session = await findSession(deps, outcome.cookies.map((cookie) => cookie.split(";")[0]).join("; "));
    // Sign-up counts as a proof of identity, so risky actions are allowed for 5 minutes.
    expect([session?.account.id, session?.authTime, session?.acr]).toEqual([
      account?.id,
      deps.clock.now(),
      "urn:paygrant:acr:password",
    ]);
    expect((await signIn(deps, { email, password, cookieHeader: null, info })).kind).toBe("signed_in");
  });

  test("code, link and password are stored only as hashes", async () => {
    const { email, cookieHeader } = await beginAs(deps);
    const { code, token } = await readMail(deps, email);
    const row = await deps.db.prisma.pendingSignUp.findFirstOrThrow({ where: { email } });
    const stored = JSON.stringify(row);
    for (const secret of [code, token, password, cookieHeader.split("=")[1] ?? ""])
      expect(stored).not.toContain(secret);
    expect(row.passwordHash).toMatch(/^\$argon2id\$/);
  });

  test("after five wrong codes, the right code is invalid, even if the wrong ones are sent concurrently", async () => {
    const { email, cookieHeader } = await beginAs(deps);
    const { code } = await readMail(deps, email);
    const answers = await Promise.all(Array.from({ length: 9 }, () => codeOf(type(cookieHeader, otherCode(code)))));
    expect(answers.filter((answer) => answer === "code_wrong")).toHaveLength(5);
    expect(answers.filter((answer) => answer === "code_expired")).toHaveLength(4);
    expect(await codeOf(type(cookieHeader, code))).toBe("code_expired");
    expect(await accountOf(email)).toBeNull();
  });

  test("a code is valid for 15 minutes, and a new code replaces the earlier code and link", async () => {
    const late = await beginAs(deps);
    const first = await readMail(deps, late.email);
    deps.clock.advance(900);
    expect(await codeOf(type(late.cookieHeader, first.code))).toBe("code_expired");
    expect(await findSignUpOfLink(deps, first.token)).toBeNull();
    await requestSignUpCode(deps, { cookieHeader: late.cookieHeader, info });
    const second = await readMail(deps, late.email);
    expect(await codeOf(confirmSignUp(deps, { token: first.token, cookieHeader: null, info }))).toBe("link_expired");
    deps.clock.advance(899);
    expect(await type(late.cookieHeader, second.code)).toMatchObject({ kind: "signed_in" });
  });

  test("concurrent requests with the right code create one account and open one session", async () => {
    const { email, cookieHeader } = await beginAs(deps);
    const { code } = await readMail(deps, email);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => type(cookieHeader, code)));
    expect(outcomes.filter(({ kind }) => kind === "signed_in")).toHaveLength(1);
    const account = await accountOf(email);
    expect(await deps.db.prisma.session.count({ where: { accountId: account?.id ?? "" } })).toBe(1);
  });

  test("if there are two sign-ups for one address, only the sign-up that is verified first creates an account", async () => {
    const email = freshEmail();
    const codes = async () =>
      (await deps.db.prisma.mail.findMany({ where: { recipient: email } })).map(
        ({ text }) => /\b(\d{3}) (\d{3})\b/.exec(text)?.slice(1).join("") ?? "",
      );
    const one = await beginAs(deps, { email });
    const [first = ""] = await codes();
    const two = await beginAs(deps, { email });
    const second = (await codes()).find((code) => code !== first) ?? "";
    const kindsOf = async (sent: readonly ReturnType<typeof type>[]) =>
      (await Promise.allSettled(sent)).map((result) =>
        result.status === "fulfilled" ? result.value.kind : String(result.reason.code),
      );
    // The wrong codes are sent first, because the answer no longer depends on the code once the address is verified.
    const wrong = await kindsOf([type(one.cookieHeader, second), type(two.cookieHeader, first)]);
    expect(wrong).toEqual(["code_wrong", "code_wrong"]);
    const right = await kindsOf([type(one.cookieHeader, first), type(two.cookieHeader, second)]);
    expect(right.toSorted()).toEqual(["sign_in", "signed_in"]);
  });

  test("a code works only in the browser that signed up", async () => {
    const { email } = await beginAs(deps);
    const other = await beginAs(deps);
    const { code } = await readMail(deps, email);
    expect(await codeOf(type(other.cookieHeader, code))).toBe("code_wrong");
    expect(await codeOf(type("", code))).toBe("sign_up_gone");
  });
});

describe("the link of the mail", () => {
  test("in the browser that signed up, the button on the page of the link signs in; opening the page verifies nothing", async () => {
    const { email, cookieHeader } = await beginAs(deps);
    const { token } = await readMail(deps, email);
    for (let visit = 0; visit < 2; visit++) expect((await findSignUpOfLink(deps, token))?.email).toBe(email);
    expect(await accountOf(email)).toBeNull();
    expect(await confirmSignUp(deps, { token, cookieHeader, info })).toMatchObject({ kind: "signed_in" });
  });

  test("in another browser, it creates the account without a session; the first browser continues without a code, and can't request one", async () => {
    const { email, cookieHeader } = await beginAs(deps);
    const { token } = await readMail(deps, email);
    const confirm = () => confirmSignUp(deps, { token, cookieHeader: null, info });
    expect(await Promise.all([confirm(), confirm()])).toEqual([{ kind: "confirmed" }, { kind: "confirmed" }]);
    const account = await accountOf(email);
    expect(await deps.db.prisma.session.count({ where: { accountId: account?.id ?? "" } })).toBe(0);
    expect(await codeOf(requestSignUpCode(deps, { cookieHeader, info }))).toBe("sign_up_not_ready");
    expect(await type(cookieHeader, "")).toMatchObject({ kind: "signed_in", accountId: account?.id });
    expect(await type(cookieHeader, "")).toMatchObject({ kind: "sign_in" });
  });

  test("once the code has expired, the first browser has to sign in", async () => {
    const { email, cookieHeader } = await beginAs(deps);
    await confirmSignUp(deps, { token: (await readMail(deps, email)).token, cookieHeader: null, info });
    deps.clock.advance(901);
    expect(await type(cookieHeader, "")).toMatchObject({ kind: "sign_in" });
  });

  test("after a reset of the password elsewhere, the first browser has to sign in", async () => {
    const { email, cookieHeader } = await beginAs(deps);
    await confirmSignUp(deps, { token: (await readMail(deps, email)).token, cookieHeader: null, info });
    deps.clock.advance(1);
    await requestReset(deps, { email, returnTo: "/wallet", locale: "en-GB", cookieHeader: null, info });
    const token = /token=([\w-]{43})/.exec((await readMail(deps, email)).text)?.[1] ?? "";
    await resetPassword(deps, { token, password: "staple on a blue moon", cookieHeader: null, info });
    expect(await type(cookieHeader, "")).toMatchObject({ kind: "sign_in" });
    expect(await type(cookieHeader, "")).toMatchObject({ kind: "sign_in" });
  });
});

describe("signing up with a passkey", () => {
  test("after the address is verified, the passkey and an account without a password are created together", async () => {
    const { email, cookieHeader } = await beginAs(deps, { method: "passkey" });
    expect(await codeOf(createPasskeyAs(deps, cookieHeader))).toBe("sign_up_not_ready");
    const { code } = await readMail(deps, email);
    expect(await type(cookieHeader, code)).toEqual({ kind: "credential" });
    expect(await accountOf(email)).toBeNull();
    const { accountId, cookies } = await createPasskeyAs(deps, cookieHeader);
    expect(await accountOf(email)).toMatchObject({ id: accountId, passwordHash: null });
    expect(await deps.db.prisma.passkey.count({ where: { accountId } })).toBe(1);
    const session = await findSession(deps, cookies.map((cookie) => cookie.split(";")[0]).join("; "));
    expect([session?.account.id, session?.acr]).toEqual([accountId, "urn:paygrant:acr:passkey"]);
    // No password is accepted, the empty one included.
    for (const typed of ["", password])
      expect(await codeOf(signIn(deps, { email, password: typed, cookieHeader: null, info }))).toBe("sign_in_refused");
  });

  test("a person who can't create a passkey sets a password instead, with the same rules", async () => {
    const { email, cookieHeader, outcome } = await signUpAs(deps, { method: "passkey" });
    expect(outcome).toEqual({ kind: "credential" });
    const finish = (typed: string) => finishSignUpByPassword(deps, { password: typed, cookieHeader, info });
    expect(await codeOf(finish("short"))).toBe("password_too_short");
    expect(await codeOf(finish(`${email} and more`))).toBe("password_has_email");
    const results = await Promise.all([codeOf(finish(password)), codeOf(finish(password))]);
    expect(results.filter((result) => result === "none")).toHaveLength(1);
    expect((await signIn(deps, { email, password, cookieHeader: null, info })).kind).toBe("signed_in");
    expect(await codeOf(createPasskeyAs(deps, cookieHeader))).toBe("sign_up_not_ready");
  });
});

describe("an address that has an account", () => {
  test("gets a mail that says so, and no code verifies the sign-up", async () => {
    const owner = await makeOwner();
    const { email, cookieHeader } = await beginAs(deps, { email: owner.email.toUpperCase() });
    expect(email).toBe(owner.email);
    const mail = await readMail(deps, email);
    expect([mail.kind, mail.code, mail.token]).toEqual(["account_exists", "", ""]);
    const tries = ["000000", "111111", "222222", "333333", "444444", "555555"];
    const answers: string[] = [];
    for (const code of tries) answers.push(await codeOf(type(cookieHeader, code)));
    expect(answers).toEqual([...Array(5).fill("code_wrong"), "code_expired"]);
    await requestSignUpCode(deps, { cookieHeader, info });
    expect((await readMail(deps, email)).kind).toBe("account_exists");
  });

  test("signing in with the password of the sign-up leads to the code page, as for an unknown address", async () => {
    const owner = await makeOwner();
    for (const email of [owner.email, freshEmail()]) {
      await beginAs(deps, { email });
      const outcome = await signIn(deps, { email, password, cookieHeader: null, info });
      expect(outcome.kind).toBe("unverified");
    }
    const own = { email: owner.email, password: "the owner's own password", cookieHeader: null, info };
    expect((await signIn(deps, own)).kind).toBe("signed_in");
  });

  test("takes the same time as an unknown address (medians of 15 alternating measurements)", async () => {
    const owner = await makeOwner();
    const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
    for (let round = 0; round < 15; round++) {
      for (const [kind, email] of [
        ["known", owner.email],
        ["unknown", freshEmail()],
      ] as const) {
        await deps.db.prisma.signInBucket.deleteMany();
        const since = performance.now();
        await beginAs(deps, { email });
        times[kind].push(performance.now() - since);
      }
    }
    const median = (values: number[]): number => values.toSorted((left, right) => left - right)[7] ?? 0;
    const ratio = median(times.known) / median(times.unknown);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

describe("until the address is verified", () => {
  test("signing in with another browser opens the code page there, and the code works in both", async () => {
    const { email } = await beginAs(deps);
    const outcome = await signIn(deps, { email, password, returnTo: "/wallet/security", cookieHeader: null, info });
    if (outcome.kind !== "unverified") throw new Error(outcome.kind);
    const { code } = await readMail(deps, email);
    expect(await type(outcome.signUpCookie.split(";")[0] ?? "", code)).toMatchObject({
      kind: "signed_in",
      returnTo: "/wallet/security",
    });
  });

  test("a wrong password is refused as for an unknown account", async () => {
    const { email, cookieHeader } = await beginAs(deps);
    const wrong = { email, password: "another long password", cookieHeader, info };
    expect(await codeOf(signIn(deps, wrong))).toBe("sign_in_refused");
  });
});

describe("limits", () => {
  test("an address gets five mails, then one every 15 minutes, with or without an account", async () => {
    const owner = await makeOwner();
    for (const email of [owner.email, freshEmail()]) {
      await deps.db.prisma.signInBucket.deleteMany();
      const { cookieHeader } = await beginAs(deps, { email });
      for (let mail = 0; mail < 4; mail++) await requestSignUpCode(deps, { cookieHeader, info });
      expect(await codeOf(requestSignUpCode(deps, { cookieHeader, info }))).toBe("too_many_codes");
      expect(await codeOf(beginAs(deps, { email }))).toBe("too_many_attempts");
      expect(await deps.db.prisma.mail.count({ where: { recipient: email } })).toBe(5);
      deps.clock.advance(900);
      await beginAs(deps, { email });
    }
  });

  test("an IP address can begin twenty sign-ups, then one per minute", async () => {
    await deps.db.prisma.signInBucket.deleteMany();
    for (let count = 0; count < 20; count++) await beginAs(deps, { method: "passkey" });
    expect(await codeOf(beginAs(deps))).toBe("too_many_attempts");
    deps.clock.advance(60);
    expect(await codeOf(beginAs(deps))).toBe("none");
    await deps.db.prisma.signInBucket.deleteMany();
  });
});

describe("a payer who signs up from a consent page", () => {
  const completeBy = async (handle: string) =>
    (await deps.db.prisma.pushedRequest.findFirstOrThrow({ where: { handle } })).completeBy;

  test("gets another 15 minutes to complete the request when the account is created, but only once per request", async () => {
    const handle = await makeOpenRequest(deps);
    deps.clock.advance(600);
    const { outcome } = await signUpAs(deps, { returnTo: `/consent/${handle}` });
    expect(outcome).toMatchObject({ kind: "signed_in", returnTo: `/consent/${handle}` });
    const extended = addSeconds(deps.clock.now(), 900);
    expect(await completeBy(handle)).toEqual(extended);
    deps.clock.advance(60);
    await signUpAs(deps, { returnTo: `/consent/${handle}` });
    expect(await completeBy(handle)).toEqual(extended);
  });

  test("doesn't reopen a request whose time has passed", async () => {
    const handle = await makeOpenRequest(deps);
    const before = await completeBy(handle);
    deps.clock.advance(901);
    await signUpAs(deps, { returnTo: `/consent/${handle}` });
    expect(await completeBy(handle)).toEqual(before);
  });
});

describe("SIGN_UP", () => {
  const withMode = (signUp: "open" | "invite" | "closed") => ({ ...deps, config: { ...deps.config, signUp } });
  const begin = (mode: "invite" | "closed", options: Parameters<typeof beginAs>[1] = {}) =>
    codeOf(beginAs(withMode(mode), options));

  test("with invite, a person needs an open consent request or an invitation", async () => {
    expect(await begin("invite")).toBe("sign_up_invite_only");
    const handle = await makeOpenRequest(deps);
    expect(await begin("invite", { returnTo: `/consent/${handle}` })).toBe("none");
    expect(await begin("invite", { returnTo: `/consent/${handle}x` })).toBe("sign_up_invite_only");
    deps.clock.advance(901);
    expect(await begin("invite", { returnTo: `/consent/${handle}` })).toBe("sign_up_invite_only");
  });

  test("an invitation is valid for one address until it expires", async () => {
    const email = freshEmail();
    const expiresAt = addSeconds(deps.clock.now(), 3_600);
    const invitation = await deps.db.transaction((tx) =>
      inviteToSignUp(deps, tx, { email: email.toUpperCase(), expiresAt }),
    );
    expect(await admitSignUp(withMode("invite"), { returnTo: "/wallet", invitation })).toEqual({
      kind: "admitted",
      invited: email,
    });
    const fields = { name: "Grace", email: freshEmail(), method: "passkey", password: "" } as const;
    const preferences = { locale: "en-GB", timeZone: "UTC" };
    const other = { fields, returnTo: "/wallet", invitation, ...preferences, info };
    expect(await beginSignUp(withMode("invite"), other)).toEqual({
      kind: "invalid",
      problems: { email: "email_not_invited" },
    });
    expect(await begin("invite", { email, invitation })).toBe("none");
    deps.clock.advance(3_600);
    expect(await begin("invite", { email, invitation })).toBe("sign_up_invite_only");
  });

  test("with closed, no one can sign up", async () => {
    const handle = await makeOpenRequest(deps);
    expect(await begin("closed", { returnTo: `/consent/${handle}` })).toBe("sign_up_closed");
  });
});
