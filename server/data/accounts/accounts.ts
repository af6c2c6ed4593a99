import type { OperatorRole } from "../../accounts/rules/operator-actions.ts";
import { type Db, type Sql, statement, type Tx } from "../client.ts";
import type { Account } from "../generated/client.ts";

export const findAccountByEmail = (db: Db, email: string): Promise<Account | null> =>
  db.prisma.account.findUnique({ where: { email } });

export const findAccountById = (tx: Pick<Tx, "account">, id: string): Promise<Account | null> =>
  tx.account.findUnique({ where: { id } });

const lock = statement<never>("lock_account", "SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE");

/**
 * Locks an account until the transaction ends. Callers take this lock before they decide on the account's password,
 * passkeys, recovery codes, payment methods, card setups or merchants, so that these decisions run one after another.
 */
export const lockAccount = async (sql: Sql, accountId: string): Promise<void> => {
  await sql.query(lock, [accountId]);
};

export type SessionRow = {
  session_id: string;
  auth_time: Date;
  acr: string;
  second_factor_at: Date | null;
  last_seen_at: Date;
  account_id: string;
  email: string;
  display_name: string;
  operator_role: OperatorRole | null;
  is_demo: boolean;
  locale: string;
  time_zone: string;
};

const findLiveSession = statement<SessionRow>(
  "find_live_session",
  `SELECT s.id AS session_id, s.auth_time, s.acr, s.second_factor_at, s.last_seen_at, a.id AS account_id, a.email, a.display_name,
          a.operator_role, a.is_demo, a.locale, a.time_zone
     FROM session s JOIN account a ON a.id = s.account_id
    WHERE s.secret_hash = $1 AND s.revoked_at IS NULL AND s.expires_at > $2::timestamptz AND a.deleted_at IS NULL`,
);

export const findSessionBySecret = async (sql: Sql, secretHash: string, now: Date): Promise<SessionRow | null> =>
  (await sql.query(findLiveSession, [secretHash, now]))[0] ?? null;

const liveSessions = statement<{ id: string }>(
  "find_live_session_ids",
  "SELECT id FROM session WHERE id = ANY ($1::text[]) AND revoked_at IS NULL AND expires_at > $2::timestamptz",
);

/** The sessions that have not ended. */
export const findLiveSessionIds = async (sql: Sql, ids: readonly string[], now: Date): Promise<Set<string>> =>
  new Set((await sql.query(liveSessions, [ids, now])).map(({ id }) => id));

export const touchSession = async (db: Db, sessionId: string, now: Date): Promise<void> => {
  await db.prisma.session.updateMany({ where: { id: sessionId }, data: { lastSeenAt: now } });
};

export type NewSession = {
  id: string;
  secretHash: string;
  accountId: string;
  now: Date;
  expiresAt: Date;
  acr: string;
  /** null: the session proved only one factor */
  secondFactorAt: Date | null;
  userAgent: string;
  ipAddress: string;
};

export const insertSession = async (tx: Tx, session: NewSession): Promise<void> => {
  const { now, ...rest } = session;
  await tx.session.create({ data: { ...rest, createdAt: now, lastSeenAt: now, authTime: now } });
};

/** @returns the session that this secret opened; null if the session was revoked before, or is unknown. */
export const revokeSessionBySecret = async (
  tx: Tx,
  secretHash: string,
  now: Date,
): Promise<{ id: string; accountId: string } | null> => {
  const [revoked] = await tx.session.updateManyAndReturn({
    where: { secretHash, revokedAt: null },
    data: { revokedAt: now },
    select: { id: true, accountId: true },
  });
  return revoked ?? null;
};

/** @returns false if this account has no such session, or if the session was revoked before. */
export const revokeSessionOfAccount = async (
  tx: Tx,
  input: { sessionId: string; accountId: string; now: Date },
): Promise<boolean> => {
  const { count } = await tx.session.updateMany({
    where: { id: input.sessionId, accountId: input.accountId, revokedAt: null },
    data: { revokedAt: input.now },
  });
  return count === 1;
};

export const selectSessionOwner = async (db: Db, sessionId: string): Promise<string | null> =>
  (await db.prisma.session.findUnique({ where: { id: sessionId }, select: { accountId: true } }))?.accountId ?? null;

/** Renews the proof time of a live session. @returns false if this account has no such live session. */
export const updateSessionProof = async (
  tx: Tx,
  input: { sessionId: string; accountId: string; acr: string; isSecondFactor: boolean; now: Date },
): Promise<boolean> => {
  const { count } = await tx.session.updateMany({
    where: { id: input.sessionId, accountId: input.accountId, revokedAt: null, expiresAt: { gt: input.now } },
    data: { authTime: input.now, acr: input.acr, ...(input.isSecondFactor ? { secondFactorAt: input.now } : {}) },
  });
  return count === 1;
};

const holdPasswordRow = statement<{ id: string }>(
  "hold_account_password",
  "SELECT id FROM account WHERE id = $1 AND password_hash = $2 FOR SHARE",
);

/**
 * Until the end of the transaction, no other transaction changes the password.
 * @returns false if the account has another password, for example because the password was changed after it was
 *   verified.
 */
export const holdPassword = async (
  sql: Sql,
  { accountId, passwordHash }: { accountId: string; passwordHash: string },
): Promise<boolean> => (await sql.query(holdPasswordRow, [accountId, passwordHash])).length === 1;

/** @returns null if the account has only passkeys. */
export const findPasswordHash = async ({ account }: Pick<Tx, "account">, id: string): Promise<string | null> =>
  (await account.findUniqueOrThrow({ where: { id }, select: { passwordHash: true } })).passwordHash;

// If the clock stepped back, the last attempt is in the future, and nothing has drained since.
const drained = "floor(greatest(0, extract(epoch FROM $2::timestamptz - b.last_at)) / $4::int)";

// The bucket drains one failure every $4 seconds. One statement checks for room and writes the row, so that concurrent
// attempts can't pass together.
const takeAttempt = statement<{ failures: number }>(
  "take_sign_in_attempt",
  `INSERT INTO sign_in_bucket AS b (key, failures, last_at) VALUES ($1, 1, $2::timestamptz)
   ON CONFLICT (key) DO UPDATE
      SET failures = greatest(0, b.failures - ${drained})::int + 1, last_at = $2::timestamptz
    WHERE greatest(0, b.failures - ${drained}) < $3::int
   RETURNING failures`,
);

// After the clock stepped back, a full bucket drains from the current time, not from a time in the future.
const restartDrain = statement<never>(
  "restart_sign_in_drain",
  "UPDATE sign_in_bucket SET last_at = $2::timestamptz WHERE key = $1 AND last_at > $2::timestamptz",
);

export type AttemptLimit = { key: string; capacity: number; drainSeconds: number };

/** At most `capacity` callers pass before the bucket drains. @returns false if it is full. */
export const takeLimitedAttempt = async (sql: Sql, limit: AttemptLimit, now: Date): Promise<boolean> => {
  const { key, capacity, drainSeconds } = limit;
  const [taken] = await sql.query(takeAttempt, [key, now, capacity, drainSeconds]);
  if (!taken) await sql.query(restartDrain, [key, now]);
  return taken !== undefined;
};

const giveBackAttempt = statement<never>(
  "give_back_sign_in_attempt",
  "UPDATE sign_in_bucket SET failures = greatest(0, failures - 1) WHERE key = ANY($1::text[])",
);

export const giveBackSignInAttempts = async (sql: Sql, keys: readonly string[]): Promise<void> => {
  await sql.query(giveBackAttempt, [keys]);
};
