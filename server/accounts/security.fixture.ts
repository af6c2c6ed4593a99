import { expect } from "vitest";
import { countLockWaits } from "#e2e/support/statements.ts";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../audit/search-audit.ts";
import { lockAccount } from "../data/accounts/accounts.ts";
import { newId } from "../kernel/ids.ts";
import { openSession, passwordAcr } from "./sessions/sessions.ts";
import { hashPassword } from "./sign-in/passwords.ts";
import { signIn } from "./sign-in/sign-in.ts";

export const oldPassword = "correct horse battery";
export const newPassword = "staple on a blue moon";
export const info = {
  requestId: "req_test",
  ipAddress: "203.0.113.9",
  userAgent: "Mozilla/5.0 (X11; Linux) Firefox/140.0",
};

/** Tests that don't use the password share one hash, because argon2 is slow by design. */
const sharedHash = hashPassword(oldPassword);

type Options = { hasPassword?: boolean; locale?: string; isDemo?: boolean; isProbe?: boolean };

export const makeAccount = async (deps: TestDeps, options: Options = {}) => {
  const { hasPassword = true, locale = "en-GB", ...flags } = options;
  const id = newId("acc");
  const email = `${id.toLowerCase()}@example.test`;
  const account = { id, email, displayName: "Ada", locale, timeZone: "Europe/Berlin" };
  const passwordHash = hasPassword ? await sharedHash : null;
  await deps.db.prisma.account.create({ data: { ...account, ...flags, passwordHash, createdAt: deps.clock.now() } });
  return account;
};

/** Opens a session of the account. @returns its id */
export const openSessionOf = async (deps: TestDeps, { id: accountId }: { id: string }): Promise<string> =>
  (await deps.db.transaction((tx) => openSession(tx, { accountId, acr: passwordAcr, info, now: deps.clock.now() })))
    .sessionId;

/** The `name=value` pair that a browser sends after a `set-cookie` header. */
export const pairOf = (setCookie: string): string => setCookie.split(";")[0] ?? "";

export const enter = async (
  deps: TestDeps,
  email: string,
  options: { password?: string; cookieHeader?: string | null } = {},
) => {
  const { password = oldPassword, cookieHeader = null } = options;
  const outcome = await signIn(deps, { email, password, cookieHeader, info });
  if (outcome.kind !== "signed_in") throw new Error("the address isn't verified");
  return outcome;
};

/** Mails to an address, oldest first. */
export const mailsTo = (deps: TestDeps, recipient: string) =>
  deps.db.prisma.mail.findMany({ where: { recipient }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });

export const mailKindsTo = async (deps: TestDeps, recipient: string): Promise<string[]> =>
  (await mailsTo(deps, recipient)).map(({ kind }) => kind).toSorted();

/** The audited actions on one resource, oldest first. */
export const auditOf = async (deps: TestDeps, subjectId: string): Promise<string[]> => {
  const { entries } = await searchAudit(deps, { subjectId });
  return entries.map(({ action }) => action).reverse();
};

export const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "done",
    (error: { code?: string }) => error.code ?? String(error),
  );

/** The median of values, for comparisons within one run. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * Locks the account, starts the attempts one after another so that each of them waits for the lock, and then releases
 * the lock.
 * @returns the outcomes, in the form of `codeOf`.
 */
export const whileAccountIsLocked = async (
  deps: TestDeps,
  accountId: string,
  attempts: readonly (() => Promise<unknown>)[],
): Promise<string[]> => {
  const outcomes: Promise<string>[] = [];
  await deps.db.transaction(async (tx) => {
    await lockAccount(tx.sql, accountId);
    for (const [index, attempt] of attempts.entries()) {
      outcomes.push(codeOf(attempt()));
      await expect.poll(() => countLockWaits(deps)).toBe(index + 1);
    }
  });
  return Promise.all(outcomes);
};
