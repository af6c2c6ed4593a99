import { type Sql, statement } from "../client.ts";

export type DeletionRow = { requestedAt: Date | null };

const find = statement<DeletionRow>(
  "find_account_deletion",
  `SELECT deletion_requested_at AS "requestedAt" FROM account WHERE id = $1`,
);

export const findAccountDeletion = async (sql: Sql, accountId: string): Promise<Date | null> =>
  (await sql.query(find, [accountId]))[0]?.requestedAt ?? null;

const hold = statement<DeletionRow>(
  "hold_account_deletion",
  `SELECT deletion_requested_at AS "requestedAt" FROM account WHERE id = $1 FOR SHARE`,
);

/**
 * Until the end of the transaction, the account's deletion can't be scheduled or canceled.
 * @returns whether a deletion is scheduled.
 */
export const holdDeletion = async (sql: Sql, accountId: string): Promise<{ isPending: boolean }> => ({
  isPending: ((await sql.query(hold, [accountId]))[0]?.requestedAt ?? null) !== null,
});

/** The roles that prevent a deletion. `owned`: merchants without another owner. */
export type BlockingRoles = { isOperator: boolean; owned: string[] };

/** SQL: merchants `h` that have no owner but account `a`. */
const ownedAlone = `merchant_member m JOIN merchant h ON h.id = m.merchant_id
      WHERE m.account_id = a.id AND m.role = 'owner' AND NOT EXISTS (
        SELECT FROM merchant_member o WHERE o.merchant_id = m.merchant_id AND o.role = 'owner' AND o.account_id <> a.id
      )`;

const lockAccount = statement<BlockingRoles>(
  "lock_account_for_deletion",
  `SELECT a.operator_role IS NOT NULL AS "isOperator", ARRAY(
     SELECT h.display_name FROM ${ownedAlone} ORDER BY h.display_name) AS owned
     FROM account a WHERE a.id = $1 FOR NO KEY UPDATE OF a`,
);

/** Locks the account. @returns null for an unknown account. */
export const lockForDeletion = async (sql: Sql, accountId: string): Promise<BlockingRoles | null> =>
  (await sql.query(lockAccount, [accountId]))[0] ?? null;

const schedule = statement<{ id: string }>(
  "schedule_account_deletion",
  `UPDATE account SET deletion_requested_at = $2::timestamptz
    WHERE id = $1 AND deletion_requested_at IS NULL AND deleted_at IS NULL RETURNING id`,
);

/** @returns false if a deletion is already scheduled. */
export const scheduleDeletion = async (
  sql: Sql,
  { accountId, at }: { accountId: string; at: Date },
): Promise<boolean> => (await sql.query(schedule, [accountId, at])).length === 1;

const cancel = statement<{ id: string }>(
  "cancel_account_deletion",
  `UPDATE account SET deletion_requested_at = NULL
    WHERE id = $1 AND deletion_requested_at IS NOT NULL AND deleted_at IS NULL RETURNING id`,
);

/** @returns false if no deletion is scheduled. */
export const cancelScheduledDeletion = async (sql: Sql, accountId: string): Promise<boolean> =>
  (await sql.query(cancel, [accountId])).length === 1;

export type DueDeletion = { id: string; email: string; locale: string; timeZone: string };

const lockDue = statement<DueDeletion>(
  "lock_due_account_deletion",
  `SELECT a.id, a.email, a.locale, a.time_zone AS "timeZone" FROM account a
    WHERE a.deletion_requested_at <= $1::timestamptz AND a.deleted_at IS NULL
      AND a.operator_role IS NULL AND NOT EXISTS (SELECT FROM ${ownedAlone})
    ORDER BY a.deletion_requested_at LIMIT 1 FOR NO KEY UPDATE OF a SKIP LOCKED`,
);

/**
 * Locks one account whose deletion was requested at or before the given time and that no other transaction has locked.
 * An account that became an operator or the only owner of a merchant after the request isn't deleted until it gives up
 * these roles.
 */
export const lockDueDeletion = async (sql: Sql, requestedUntil: Date): Promise<DueDeletion | null> =>
  (await sql.query(lockDue, [requestedUntil]))[0] ?? null;

const lockOwned = statement<never>(
  "lock_merchants_of_owner",
  `SELECT FROM merchant h JOIN merchant_member m ON m.merchant_id = h.id
    WHERE m.account_id = $1 AND m.role = 'owner' ORDER BY h.id FOR NO KEY UPDATE OF h`,
);
const ownsAlone = statement<{ alone: boolean }>(
  "owns_merchant_alone",
  `SELECT EXISTS (SELECT FROM ${ownedAlone}) AS alone FROM account a WHERE a.id = $1`,
);

/**
 * Locks the merchants of a locked account, so that no other owner leaves them until the end of the transaction.
 * @returns whether the account is the only owner of at least one merchant.
 */
export const holdOwners = async (sql: Sql, accountId: string): Promise<{ isAlone: boolean }> => {
  await sql.query(lockOwned, [accountId]);
  return { isAlone: (await sql.query(ownsAlone, [accountId]))[0]?.alone ?? false };
};

const erasure = [
  statement<never>(
    "erase_sessions",
    "UPDATE session SET revoked_at = coalesce(revoked_at, $2::timestamptz), user_agent = '', ip_address = '' WHERE account_id = $1",
  ),
  statement<never>(
    "erase_payment_methods",
    "UPDATE payment_method SET removed_at = coalesce(removed_at, $2::timestamptz), is_default = false, nickname = NULL WHERE payer_id = $1",
  ),
  statement<never>(
    "erase_account",
    `UPDATE account SET email = 'deleted-' || lower(id) || '@deleted.invalid', email_verified_at = NULL,
       display_name = 'Deleted account', password_hash = NULL, deleted_at = $2::timestamptz WHERE id = $1`,
  ),
];
const deletions = [
  "passkey",
  "account_totp",
  "recovery_code",
  "password_reset",
  "email_change",
  "sign_in_event",
  "notification_choice",
  "data_export",
  "merchant_member",
].map((table) => statement<never>(`erase_${table}`, `DELETE FROM ${table} WHERE account_id = $1`));

/** Rows that contain the e-mail address. They are deleted before `erasure` removes the address from the account. */
const deletionsByAddress = ["merchant_invitation", "operator_invitation", "pending_sign_up", "sign_up_invitation"].map(
  (table) =>
    statement<never>(`erase_${table}`, `DELETE FROM ${table} WHERE email = (SELECT email FROM account WHERE id = $1)`),
);

/**
 * E-mails to the current and former addresses, and e-mails to other people that name this person, whether sent, queued
 * or still in a batch. Each statement uses an index, except those on batches. A batch exists only for seconds.
 *
 * E-mails that were sent while another account had the address belong to that account.
 */
const mailDeletions = [
  statement<never>(
    "erase_mail",
    `DELETE FROM mail WHERE recipient = (SELECT email FROM account WHERE id = $1)
        AND (former_recipient_id IS NULL OR former_recipient_id = $1)`,
  ),
  statement<never>("erase_former_mail", "DELETE FROM mail WHERE former_recipient_id = $1"),
  statement<never>("erase_mail_about", "DELETE FROM mail WHERE about_account_id = $1"),
  statement<never>("erase_mail_batch_about", "DELETE FROM mail_batch WHERE about_account_id = $1"),
  statement<never>(
    "erase_mail_batch_recipient",
    `UPDATE mail_batch b SET recipients = array_remove(b.recipients, a.email) FROM account a
      WHERE a.id = $1 AND a.email = ANY (b.recipients)`,
  ),
];

/**
 * Removes the personal data of a locked account. Mandates, charges, consents and audit entries are kept. They refer to
 * the account only by its id.
 */
export const eraseAccount = async (sql: Sql, { accountId, at }: { accountId: string; at: Date }): Promise<void> => {
  for (const deletion of [...deletions, ...deletionsByAddress, ...mailDeletions])
    await sql.query(deletion, [accountId]);
  for (const change of erasure) await sql.query(change, [accountId, at]);
};
