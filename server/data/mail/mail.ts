import { type Sql, statement } from "../client.ts";
import { inDue } from "../dated.ts";

/** One message to one recipient. */
export type MailAddress = {
  id: string;
  recipient: string;
  /** why it can't be sent; null: it is waiting to be sent */
  problem: string | null;
};

/** The data that several messages have in common. */
export type MailText = {
  kind: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
  obsoleteAfter: Date | null;
  /** one-click unsubscribe URL (RFC 8058); null: the message belongs to no subscription */
  unsubscribeUrl: string | null;
  /** the account that had, or will have, the recipient's address; null: the account that has it now */
  formerRecipientId: string | null;
  /** a person other than the recipient, whom the content names */
  aboutAccountId: string | null;
};

const insert = statement<never>(
  "insert_mails",
  `INSERT INTO mail (id, kind, recipient, subject, text, html, created_at, obsolete_after, problem, unsubscribe_url,
     former_recipient_id, about_account_id, state, next_attempt_at, ended_at)
   SELECT t.id, $4, t.recipient, $5, $6, $7, $8::timestamptz, $9::timestamptz, t.problem, $10, $11, $12,
     CASE WHEN t.problem IS NULL THEN 'pending' ELSE 'failed' END::mail_state,
     CASE WHEN t.problem IS NULL THEN $8::timestamptz END, CASE WHEN t.problem IS NOT NULL THEN $8::timestamptz END
     FROM unnest($1::text[], $2::text[], $3::text[]) AS t (id, recipient, problem)`,
);

/** Call it in the transaction of the change that the e-mails report. */
export const insertMails = async (sql: Sql, to: readonly MailAddress[], mail: MailText): Promise<void> => {
  await sql.query(insert, [
    to.map(({ id }) => id),
    to.map(({ recipient }) => recipient),
    to.map(({ problem }) => problem),
    mail.kind,
    mail.subject,
    mail.text,
    mail.html,
    mail.createdAt,
    mail.obsoleteAfter,
    mail.unsubscribeUrl,
    mail.formerRecipientId,
    mail.aboutAccountId,
  ]);
};

export type ClaimedMail = Omit<MailAddress, "problem"> &
  Omit<MailText, "formerRecipientId" | "aboutAccountId"> & {
    /** including this one */
    attempts: number;
  };

const claim = statement<ClaimedMail>(
  "claim_mail",
  `WITH due AS (
     SELECT id FROM mail WHERE state = 'pending' AND next_attempt_at <= $1::timestamptz AND ($4::text IS NULL OR kind = $4)
      ORDER BY next_attempt_at LIMIT $3::int FOR UPDATE SKIP LOCKED
   )
   UPDATE mail m SET attempts = attempts + 1, next_attempt_at = $2::timestamptz
     WHERE ${inDue("m")}
   RETURNING m.id, m.kind, m.recipient, m.subject, m.text, m.html, m.created_at AS "createdAt",
     m.obsolete_after AS "obsoleteAfter", m.unsubscribe_url AS "unsubscribeUrl", m.attempts`,
);

/**
 * Claims mail that is due at `due`, each message for one caller until `claimUntil`.
 * @param input.kind null: every kind.
 */
export const claimMail = (
  sql: Sql,
  input: { due: Date; kind: string | null; claimUntil: Date; limit: number },
): Promise<ClaimedMail[]> => sql.query(claim, [input.due, input.claimUntil, input.limit, input.kind]);

const keep = statement<{ id: string }>(
  "keep_pending_mail",
  `WITH due AS (
     SELECT id FROM mail WHERE state = 'pending' AND next_attempt_at <= $1::timestamptz
      ORDER BY next_attempt_at LIMIT $2::int FOR UPDATE SKIP LOCKED
   )
   UPDATE mail m SET state = 'kept', next_attempt_at = NULL, ended_at = $1::timestamptz,
     recipient = CASE WHEN m.kind = 'account_deleted' THEN 'erased' ELSE m.recipient END
     WHERE ${inDue("m")} RETURNING m.id`,
);

/**
 * Marks messages as kept, on an instance that sends no mail. Operators can read them. @returns the number of messages.
 */
export const keepPendingMail = async (sql: Sql, input: { now: Date; limit: number }): Promise<number> =>
  (await sql.query(keep, [input.now, input.limit])).length;

const end = statement<{ id: string }>(
  "end_mail",
  `UPDATE mail SET state = $3::mail_state, ended_at = $4::timestamptz, problem = $5, next_attempt_at = NULL,
     recipient = CASE WHEN kind = 'account_deleted' THEN 'erased' ELSE recipient END
    WHERE id = $1 AND created_at = $2::timestamptz AND state = 'pending' RETURNING id`,
);

type MailKey = Pick<MailAddress, "id"> & Pick<MailText, "createdAt">;

/**
 * Marks a pending e-mail as sent or failed. In the last e-mail to a deleted account, also erases the recipient's
 * address, because it must not be stored any longer.
 * @returns false if another worker completed the e-mail first.
 */
export const endMail = async (
  sql: Sql,
  mail: MailKey & { state: "sent" | "failed"; at: Date; problem: string | null },
): Promise<boolean> =>
  (await sql.query(end, [mail.id, mail.createdAt, mail.state, mail.at, mail.problem])).length === 1;

const reschedule = statement<never>(
  "reschedule_mail",
  `UPDATE mail SET next_attempt_at = $4::timestamptz, problem = $5
    WHERE id = $1 AND created_at = $2::timestamptz AND attempts = $3::int AND state = 'pending'`,
);

/** Records a failed attempt, unless another worker has tried since. */
export const rescheduleMail = async (
  sql: Sql,
  mail: MailKey & { attempts: number; next: Date; problem: string },
): Promise<void> => {
  await sql.query(reschedule, [mail.id, mail.createdAt, mail.attempts, mail.next, mail.problem]);
};

const retry = statement<{ id: string }>(
  "retry_failed_mail",
  `UPDATE mail SET state = 'pending', attempts = 0, next_attempt_at = $3::timestamptz, ended_at = NULL
    WHERE id = $1 AND created_at = $2::timestamptz AND state = 'failed' RETURNING id`,
);

/** Resets a failed message to unsent. @returns false if it hasn't failed, or another caller reset it first. */
export const retryFailedMail = async (sql: Sql, mail: MailKey & { at: Date }): Promise<boolean> =>
  (await sql.query(retry, [mail.id, mail.createdAt, mail.at])).length === 1;
