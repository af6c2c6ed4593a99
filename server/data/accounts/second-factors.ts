import { type Db, type Sql, statement } from "../client.ts";

/** The second factors of an account. */
export type FactorCount = { passkeys: number; hasTotp: boolean };

const countFactors = statement<{ passkeys: number; has_totp: boolean }>(
  "count_second_factors",
  `SELECT (SELECT count(*) FROM passkey WHERE account_id = $1)::int AS passkeys,
          EXISTS (SELECT FROM account_totp WHERE account_id = $1 AND confirmed_at IS NOT NULL) AS has_totp`,
);

export const countSecondFactors = async (sql: Sql, accountId: string): Promise<FactorCount> => {
  const [row] = await sql.query(countFactors, [accountId]);
  return { passkeys: row?.passkeys ?? 0, hasTotp: row?.has_totp ?? false };
};

/** A secret that was shown in another session isn't kept: another person who knows the password may have seen it. */
const isOffered = "t.created_at > $4::timestamptz AND t.session_id = excluded.session_id";

const offer = statement<{ sealed_secret: string }>(
  "offer_totp_secret",
  `INSERT INTO account_totp AS t (account_id, session_id, sealed_secret, created_at)
   VALUES ($1, $5, $2, $3::timestamptz)
   ON CONFLICT (account_id) DO UPDATE
      SET sealed_secret = CASE WHEN ${isOffered} THEN t.sealed_secret ELSE excluded.sealed_secret END,
          created_at = CASE WHEN ${isOffered} THEN t.created_at ELSE excluded.created_at END,
          session_id = excluded.session_id
    WHERE t.confirmed_at IS NULL
   RETURNING sealed_secret`,
);

/**
 * Stores a secret that no code has confirmed yet. An existing secret of the same session that is newer than `keepFrom`
 * is kept, so that a reloaded page shows the secret that was scanned.
 * @returns the secret to show; null if the account has a confirmed one.
 */
export const offerTotpSecret = async (
  sql: Sql,
  input: { accountId: string; sessionId: string; sealedSecret: string; now: Date; keepFrom: Date },
): Promise<string | null> => {
  const { accountId, sessionId, sealedSecret, now, keepFrom } = input;
  return (await sql.query(offer, [accountId, sealedSecret, now, keepFrom, sessionId]))[0]?.sealed_secret ?? null;
};

export const findTotp = (
  db: Pick<Db["prisma"], "accountTotp">,
  accountId: string,
): Promise<{ sessionId: string | null; sealedSecret: string; confirmedAt: Date | null } | null> =>
  db.accountTotp.findUnique({
    where: { accountId },
    select: { sessionId: true, sealedSecret: true, confirmedAt: true },
  });

const consumeStep = statement<{ account_id: string }>(
  "consume_totp_step",
  `UPDATE account_totp SET last_step = $3::bigint, confirmed_at = coalesce(confirmed_at, $4::timestamptz)
    WHERE account_id = $1 AND sealed_secret = $2 AND last_step < $3::bigint
   RETURNING account_id`,
);

/**
 * Marks the code of a time step as used. The first code that is used also confirms the secret. At most one caller per
 * step gets true. For an earlier step or a replaced secret, every caller gets false.
 */
export const consumeTotpStep = async (
  sql: Sql,
  input: { accountId: string; sealedSecret: string; step: number; now: Date },
): Promise<boolean> => {
  const { accountId, sealedSecret, step, now } = input;
  return (await sql.query(consumeStep, [accountId, sealedSecret, step, now])).length === 1;
};

const markSession = statement<{ id: string }>(
  "mark_second_factor",
  `UPDATE session SET second_factor_at = $3::timestamptz
    WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL AND expires_at > $3::timestamptz
   RETURNING id`,
);

/** @returns false if this account has no such live session. */
export const markSecondFactor = async (
  sql: Sql,
  { sessionId, accountId, now }: { sessionId: string; accountId: string; now: Date },
): Promise<boolean> => (await sql.query(markSession, [sessionId, accountId, now])).length === 1;

const deleteTotp = statement<never>("delete_totp", "DELETE FROM account_totp WHERE account_id = $1");
const removePasskeys = statement<never>("remove_passkeys_of_account", "DELETE FROM passkey WHERE account_id = $1");
const forgetFactors = statement<never>(
  "forget_second_factors",
  "UPDATE session SET second_factor_at = NULL WHERE account_id = $1 AND second_factor_at IS NOT NULL",
);

/** Removes all second factors of an account. Its sessions lose them immediately. */
export const removeSecondFactors = async (sql: Sql, accountId: string): Promise<void> => {
  for (const each of [deleteTotp, removePasskeys, forgetFactors]) await sql.query(each, [accountId]);
};

const forgetFactorsOfOthers = statement<never>(
  "forget_second_factors_of_other_sessions",
  `UPDATE session SET second_factor_at = NULL
    WHERE account_id = $1 AND id IS DISTINCT FROM $2 AND second_factor_at IS NOT NULL`,
);

/** Removes the authenticator app. All sessions except this one lose their second factor; null: all sessions. */
export const removeTotp = async (
  sql: Sql,
  { accountId, sessionId }: { accountId: string; sessionId: string | null },
): Promise<void> => {
  await sql.query(deleteTotp, [accountId]);
  await sql.query(forgetFactorsOfOthers, [accountId, sessionId]);
};
