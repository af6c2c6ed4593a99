import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import {
  auditOf,
  codeOf,
  enter,
  info,
  mailKindsTo,
  makeAccount,
  median,
  openSessionOf,
  pairOf,
} from "../security.fixture.ts";
import { findSession } from "../sessions/find-session.ts";
import { confirmRecoveryCode } from "./confirm-recovery-code.ts";
import { createFirstRecoveryCodes } from "./create-first-recovery-codes.ts";
import { findRecoveryCodes } from "./find-recovery-codes.ts";
import { regenerateRecoveryCodes } from "./regenerate-recovery-codes.ts";
import { signInByRecoveryCode } from "./sign-in-by-recovery-code.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const { requestId } = info;

const regenerate = async (account: Awaited<ReturnType<typeof makeAccount>>) =>
  regenerateRecoveryCodes(deps, { account, sessionId: await openSessionOf(deps, account), requestId });

const makeHolder = async (options: Parameters<typeof makeAccount>[1] = {}) => {
  const account = await makeAccount(deps, options);
  return { account, codes: await regenerate(account) };
};

const use = (email: string, code: string | undefined, options: { ipAddress?: string; cookieHeader?: string } = {}) =>
  signInByRecoveryCode(deps, {
    email,
    code: code ?? "",
    cookieHeader: options.cookieHeader ?? null,
    info: { ...info, ipAddress: options.ipAddress ?? "" },
  });

const leftOf = async (accountId: string) => (await findRecoveryCodes(deps, { accountId }))?.left;

describe("recovery codes (docs/spec/portal.md, Recovery codes)", () => {
  it("creates ten different codes, stores only their MACs, writes an audit entry and sends an e-mail", async () => {
    const { account, codes } = await makeHolder();
    expect(new Set(codes).size).toBe(10);
    expect(await leftOf(account.id)).toBe(10);
    const rows = JSON.stringify(await deps.db.prisma.recoveryCode.findMany({ where: { accountId: account.id } }));
    for (const code of codes) expect(rows).not.toContain(code.replaceAll("-", ""));
    expect(await auditOf(deps, account.id)).toEqual(["recovery_codes.created"]);
    expect(await mailKindsTo(deps, account.email)).toEqual(["recovery_codes_created"]);
  });

  it("replaces earlier codes", async () => {
    const { account, codes } = await makeHolder();
    const [next] = await regenerate(account);
    expect(await codeOf(use(account.email, codes[0]))).toBe("recovery_code_refused");
    expect(await codeOf(use(account.email, next))).toBe("done");
    expect(await leftOf(account.id)).toBe(9);
  });

  it("keeps ten codes when several requests create them concurrently", async () => {
    const account = await makeAccount(deps);
    await Promise.all(Array.from({ length: 5 }, () => regenerate(account)));
    expect(await leftOf(account.id)).toBe(10);
    const first = () =>
      deps.db.transaction((tx) => createFirstRecoveryCodes(deps, tx, { accountId: other.id, requestId }));
    const other = await makeAccount(deps);
    const made = await Promise.all([first(), first(), first()]);
    expect(made.filter((codes) => codes !== null)).toHaveLength(1);
    expect(await leftOf(other.id)).toBe(10);
  });

  it("accepts a code once, in upper or lower case and with any grouping; the session has the acr value of recovery codes", async () => {
    const { account, codes } = await makeHolder();
    const typed = ` ${codes[0]?.toLowerCase().replaceAll("-", " ")}`;
    const { setCookie } = await use(` ${account.email.toUpperCase()}`, typed);
    const session = await findSession(deps, pairOf(setCookie));
    expect([session?.account.id, session?.acr]).toEqual([account.id, "urn:paygrant:acr:recovery_code"]);
    expect(await codeOf(use(account.email, codes[0]))).toBe("recovery_code_refused");
    expect(await mailKindsTo(deps, account.email)).toEqual(["recovery_code_used", "recovery_codes_created"]);
  });

  it("accepts only one of several concurrent sign-ins with the same code", async () => {
    const { account, codes } = await makeHolder();
    const attempts = await Promise.all(Array.from({ length: 5 }, () => codeOf(use(account.email, codes[3]))));
    expect(attempts.toSorted()).toEqual(["done", ...Array(4).fill("recovery_code_refused")]);
    expect(await leftOf(account.id)).toBe(9);
  });

  it("gives another account's code, a wrong code and an unknown account the same answer", async () => {
    const [own, other] = [await makeHolder(), await makeHolder()];
    const errors = await Promise.all(
      [
        use(own.account.email, other.codes[0]),
        use(own.account.email, "0000-0000-0000"),
        use("unknown@example.test", own.codes[0]),
      ].map((attempt) => attempt.catch(String)),
    );
    expect(new Set(errors).size).toBe(1);
    expect(errors[0]).toContain("don’t match an account");
    expect(await leftOf(other.account.id)).toBe(10);
  });

  it("takes about the same time for an unknown account and a known account", async () => {
    const time = async (email: string) => {
      const before = performance.now();
      await codeOf(use(email, "0000-0000-0000"));
      return performance.now() - before;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 15; round++) {
      known.push(await time((await makeHolder()).account.email));
      unknown.push(await time(`unknown-${round}@example.test`));
    }
    const ratio = median(known) / median(unknown);
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });

  it("allows five attempts, which don't count as password attempts and don't lock out a known browser", async () => {
    const { account, codes } = await makeHolder();
    const { knownBrowserCookie } = await enter(deps, account.email);
    const guesses: string[] = [];
    for (let tries = 0; tries < 6; tries++) guesses.push(await codeOf(use(account.email, "0000-0000-0000")));
    expect(guesses).toEqual([...Array(5).fill("recovery_code_refused"), "too_many_attempts"]);
    expect(await codeOf(use(account.email, codes[0]))).toBe("too_many_attempts");
    expect(await codeOf(enter(deps, account.email))).toBe("done");
    expect(await codeOf(use(account.email, codes[0], { cookieHeader: pairOf(knownBrowserCookie) }))).toBe("done");
  });

  it("limits attempts for unknown accounts in the same way", async () => {
    const guesses: string[] = [];
    for (let tries = 0; tries < 6; tries++) guesses.push(await codeOf(use("stranger@example.test", "0000-0000-0000")));
    expect(guesses).toEqual([...Array(5).fill("recovery_code_refused"), "too_many_attempts"]);
  });

  it("treats a demo account as unknown unless BASE_URL is a loopback address", async () => {
    const { account, codes } = await makeHolder({ isDemo: true });
    const elsewhere = { ...deps, config: { ...deps.config, isLoopback: false } };
    const entry = { email: account.email, code: codes[0] ?? "", cookieHeader: null, info };
    expect(await codeOf(signInByRecoveryCode(elsewhere, entry))).toBe("recovery_code_refused");
  });
});

describe("confirming a risky action with a recovery code (docs/spec/portal.md, Recent authentication)", () => {
  it("renews the proof of identity of this session, uses up the code and informs the owner", async () => {
    const { account, codes } = await makeHolder({ hasPassword: true });
    const { sessionId, setCookie } = await enter(deps, account.email);
    deps.clock.advance(600);
    const confirm = (code: string | undefined) =>
      confirmRecoveryCode(deps, { account, sessionId, code: code ?? "", info });
    expect(await codeOf(confirm("0000-0000-0000"))).toBe("recovery_code_refused");
    const outcomes = await Promise.all([codes[0], codes[0], codes[0]].map((code) => codeOf(confirm(code))));
    expect(outcomes.toSorted()).toEqual(["done", "recovery_code_refused", "recovery_code_refused"]);
    expect(await findSession(deps, pairOf(setCookie))).toMatchObject({
      authTime: deps.clock.now(),
      acr: "urn:paygrant:acr:recovery_code",
    });
    expect(await leftOf(account.id)).toBe(9);
    expect(await mailKindsTo(deps, account.email)).toEqual([
      "new_sign_in",
      "recovery_code_used",
      "recovery_codes_created",
    ]);
  });

  it("keeps the code if the session has ended", async () => {
    const { account, codes } = await makeHolder();
    const attempt = confirmRecoveryCode(deps, { account, sessionId: "ses_gone", code: codes[0] ?? "", info });
    expect(await codeOf(attempt)).toBe("session_not_found");
    expect(await leftOf(account.id)).toBe(10);
  });
});
