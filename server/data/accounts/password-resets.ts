import { type Db, type Sql, statement, type Tx } from "../client.ts";

type NewReset = { tokenHash: string; accountId: string | null; createdAt: Date; expiresAt: Date };

export const insertPasswordReset = async (tx: Tx, reset: NewReset): Promise<void> => {
  await tx.passwordReset.create({ data: reset });
};

/** The account of a token that can still be used; null for an unknown, used or expired token. */
export const findResetAccount = async (
  db: Db,
  { tokenHash, now }: { tokenHash: string; now: Date },
): Promise<{ id: string; email: string; isDemo: boolean } | null> => {
  const reset = await db.prisma.passwordReset.findFirst({
    where: { tokenHash, usedAt: null, expiresAt: { gt: now } },
    select: { account: { select: { id: true, email: true, isDemo: true } } },
  });
  return reset?.account ?? null;
};

const consume = statement<{ account_id: string }>(
  "consume_password_reset",
  `UPDATE password_reset SET used_at = $2::timestamptz
    WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2::timestamptz AND account_id IS NOT NULL
   RETURNING account_id`,
);

/** At most one caller per token gets the account's id. */
export const consumePasswordReset = async (sql: Sql, tokenHash: string, now: Date): Promise<string | null> =>
  (await sql.query(consume, [tokenHash, now]))[0]?.account_id ?? null;

const end = statement<never>(
  "end_password_resets_of_account",
  "UPDATE password_reset SET used_at = $2::timestamptz WHERE account_id = $1 AND used_at IS NULL",
);

/** Ends the open links of an account whose password or address changed. */
export const endPasswordResets = async (sql: Sql, accountId: string, now: Date): Promise<void> => {
  await sql.query(end, [accountId, now]);
};
