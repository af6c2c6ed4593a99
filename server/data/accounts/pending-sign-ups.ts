import { type Db, type Sql, statement, type Tx } from "../client.ts";
import type { PendingSignUp } from "../generated/client.ts";

export type { PendingSignUp } from "../generated/client.ts";

export type NewPendingSignUp = Omit<PendingSignUp, "codesSent" | "verifiedAt" | "completedAt">;

export const insertPendingSignUp = async (tx: Tx, row: NewPendingSignUp): Promise<void> => {
  await tx.pendingSignUp.create({ data: row });
};

export const findPendingSignUpByCookie = (db: Db, cookieHash: string, now: Date): Promise<PendingSignUp | null> =>
  db.prisma.pendingSignUp.findFirst({ where: { cookieHash, expiresAt: { gt: now } } });

export const findPendingSignUpByLink = (db: Db, linkHash: string, now: Date): Promise<PendingSignUp | null> =>
  db.prisma.pendingSignUp.findFirst({ where: { linkHash, expiresAt: { gt: now } } });

/** The newest sign-up for this address that is waiting for its code and has a password. */
export const findUnverifiedSignUp = (db: Db, email: string, now: Date): Promise<PendingSignUp | null> =>
  db.prisma.pendingSignUp.findFirst({
    where: { email, verifiedAt: null, expiresAt: { gt: now }, passwordHash: { not: null } },
    orderBy: { createdAt: "desc" },
  });

const takeTry = statement<{ codeHash: string; isTaken: boolean }>(
  "take_sign_up_try",
  `UPDATE pending_sign_up SET tries_left = tries_left - 1
    WHERE id = $1 AND tries_left > 0 AND verified_at IS NULL AND code_expires_at > $2::timestamptz
   RETURNING code_hash AS "codeHash", is_taken AS "isTaken"`,
);

/** Counts one try before the code is compared. @returns null if no try is left, or the code has expired or was used. */
export const takeSignUpTry = async (
  sql: Sql,
  id: string,
  now: Date,
): Promise<{ codeHash: string; isTaken: boolean } | null> => (await sql.query(takeTry, [id, now]))[0] ?? null;

const verify = statement<{ id: string }>(
  "verify_pending_sign_up",
  `UPDATE pending_sign_up SET verified_at = $2::timestamptz
    WHERE id = $1 AND verified_at IS NULL AND NOT is_taken AND code_expires_at > $2::timestamptz RETURNING id`,
);

/** At most one caller per sign-up gets true. */
export const markSignUpVerified = async (sql: Sql, id: string, now: Date): Promise<boolean> =>
  (await sql.query(verify, [id, now])).length === 1;

const complete = statement<{ id: string }>(
  "complete_pending_sign_up",
  `UPDATE pending_sign_up SET completed_at = $2::timestamptz
    WHERE id = $1 AND verified_at IS NOT NULL AND completed_at IS NULL RETURNING id`,
);

/** At most one caller per sign-up gets true, and opens the session. */
export const markSignUpCompleted = async (sql: Sql, id: string, now: Date): Promise<boolean> =>
  (await sql.query(complete, [id, now])).length === 1;

const renewCode = statement<{ id: string }>(
  "renew_sign_up_code",
  `UPDATE pending_sign_up
      SET code_hash = $2, link_hash = $3, code_expires_at = $4::timestamptz, tries_left = $5::int, is_taken = $6::boolean,
          codes_sent = codes_sent + 1
    WHERE id = $1 AND verified_at IS NULL AND codes_sent < $7::int RETURNING id`,
);

export type RenewedCode = {
  id: string;
  codeHash: string;
  linkHash: string;
  codeExpiresAt: Date;
  tries: number;
  isTaken: boolean;
  maxCodes: number;
};

/** Replaces code and link. @returns false if the sign-up is verified, or if `maxCodes` codes were already sent. */
export const renewSignUpCode = async (sql: Sql, code: RenewedCode): Promise<boolean> => {
  const { id, codeHash, linkHash, codeExpiresAt, tries, isTaken, maxCodes } = code;
  return (await sql.query(renewCode, [id, codeHash, linkHash, codeExpiresAt, tries, isTaken, maxCodes])).length === 1;
};

export const updateSignUpReturn = async (db: Db, id: string, returnTo: string): Promise<void> => {
  await db.prisma.pendingSignUp.updateMany({ where: { id, verifiedAt: null }, data: { returnTo } });
};

export type NewAccount = {
  id: string;
  email: string;
  displayName: string;
  passwordHash: string | null;
  locale: string;
  timeZone: string;
  emailVerifiedAt: Date;
  createdAt: Date;
};

/** @returns false if the address or the id already has an account. In this case, nothing is written. */
export const insertAccount = async (tx: Tx, account: NewAccount): Promise<boolean> =>
  (await tx.account.createMany({ data: account, skipDuplicates: true })).count === 1;

export const insertInvitation = async (
  tx: Tx,
  invitation: { tokenHash: string; email: string; createdAt: Date; expiresAt: Date },
): Promise<void> => {
  await tx.signUpInvitation.create({ data: invitation });
};

/** @returns the invited address; null if the invitation is unknown or has expired. */
export const findInvitedEmail = async (db: Db, tokenHash: string, now: Date): Promise<string | null> =>
  (await db.prisma.signUpInvitation.findFirst({ where: { tokenHash, expiresAt: { gt: now } } }))?.email ?? null;
