import { type Db, type Sql, statement, type Tx } from "../client.ts";
import type { EmailChange } from "../generated/client.ts";

/** A change ends with the session that began it. */
const begunInLiveSession = (now: Date) => ({ session: { revokedAt: null, expiresAt: { gt: now } } });
const isInLiveSession = (now: string): string =>
  `EXISTS (SELECT FROM session s WHERE s.id = email_change.session_id AND s.revoked_at IS NULL AND s.expires_at > ${now})`;

/** Replaces an earlier change of the account's address. */
export const saveEmailChange = async (tx: Tx, { accountId, ...change }: EmailChange): Promise<void> => {
  await tx.emailChange.upsert({ where: { accountId }, create: { accountId, ...change }, update: change });
};

/** The change that is waiting for its code; null if there is none. */
export const findOpenEmailChange = (db: Db, accountId: string, now: Date): Promise<EmailChange | null> =>
  db.prisma.emailChange.findFirst({
    where: { accountId, expiresAt: { gt: now }, triesLeft: { gt: 0 }, ...begunInLiveSession(now) },
  });

/**
 * The change that the link confirms; null if the link is unknown, used or expired, if another account has the address,
 * or if the session that began the change has ended.
 */
export const findEmailChangeByLink = (
  db: Db,
  linkHash: string,
  now: Date,
): Promise<(EmailChange & { account: { displayName: string; email: string } }) | null> =>
  db.prisma.emailChange.findFirst({
    where: { linkHash, isTaken: false, expiresAt: { gt: now }, ...begunInLiveSession(now) },
    include: { account: { select: { displayName: true, email: true } } },
  });

const takeTry = statement<{ id: string; code_hash: string }>(
  "take_try_of_email_change",
  `UPDATE email_change SET tries_left = tries_left - 1
    WHERE account_id = $1 AND tries_left > 0 AND expires_at > $2::timestamptz AND ${isInLiveSession("$2::timestamptz")}
   RETURNING id, code_hash`,
);

/** Counts a try before its code is compared. @returns null if no change is waiting for a code, or no tries are left. */
export const takeEmailChangeTry = async (
  sql: Sql,
  accountId: string,
  now: Date,
): Promise<{ id: string; codeHash: string } | null> => {
  const [row] = await sql.query(takeTry, [accountId, now]);
  return row ? { id: row.id, codeHash: row.code_hash } : null;
};

const consume = statement<{ email: string }>(
  "consume_email_change",
  `DELETE FROM email_change WHERE id = $1 AND account_id = $2 AND NOT is_taken AND expires_at > $3::timestamptz
      AND ${isInLiveSession("$3::timestamptz")}
   RETURNING email`,
);

/** At most one caller per change gets the new address. */
export const consumeEmailChange = async (
  sql: Sql,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<string | null> => (await sql.query(consume, [id, accountId, now]))[0]?.email ?? null;

/** Deletes the account's change unless this session began it. */
export const deleteEmailChangeOfOthers = async (
  tx: Tx,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<void> => {
  await tx.emailChange.deleteMany({ where: { accountId, sessionId: { not: sessionId } } });
};

export const deleteEmailChange = async (tx: Tx, accountId: string): Promise<void> => {
  await tx.emailChange.deleteMany({ where: { accountId } });
};

const setEmail = statement<{ old_email: string; locale: string; time_zone: string }>(
  "set_account_email",
  `WITH old AS (SELECT id, email FROM account WHERE id = $1 FOR NO KEY UPDATE)
   UPDATE account a SET email = $2, email_verified_at = $3::timestamptz FROM old
    WHERE a.id = old.id AND NOT EXISTS (SELECT FROM account other WHERE other.email = $2)
   RETURNING old.email AS old_email, a.locale, a.time_zone`,
);

/**
 * @returns the old address, and the language and time zone of its owner; null if another account has the new address.
 *   If two accounts take one address concurrently, the second violates the unique index.
 */
export const setAccountEmail = async (
  sql: Sql,
  { accountId, email, now }: { accountId: string; email: string; now: Date },
): Promise<{ oldEmail: string; locale: string; timeZone: string } | null> => {
  const [row] = await sql.query(setEmail, [accountId, email, now]);
  return row ? { oldEmail: row.old_email, locale: row.locale, timeZone: row.time_zone } : null;
};
