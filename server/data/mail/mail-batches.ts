import { type Sql, statement } from "../client.ts";

/** One rendered e-mail for several recipients. */
export type MailBatch = {
  id: string;
  kind: string;
  recipients: string[];
  subject: string;
  text: string;
  html: string;
  /** a person whom the content names */
  aboutAccountId: string | null;
  requestId: string;
};

const insert = statement<never>(
  "insert_mail_batch",
  `INSERT INTO mail_batch (id, created_at, kind, recipients, subject, text, html, about_account_id, request_id)
   VALUES ($1, $2::timestamptz, $3, $4::text[], $5, $6, $7, $8, $9)`,
);

/** Call it in the transaction of the change that the e-mails report. */
export const insertMailBatch = async (sql: Sql, { at, ...batch }: MailBatch & { at: Date }): Promise<void> => {
  const { id, kind, recipients, subject, text, html, aboutAccountId, requestId } = batch;
  await sql.query(insert, [id, at, kind, recipients, subject, text, html, aboutAccountId, requestId]);
};

const take = statement<MailBatch>(
  "take_mail_batch",
  `DELETE FROM mail_batch WHERE id = (
     SELECT id FROM mail_batch ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
   ) RETURNING id, kind, recipients, subject, text, html, about_account_id AS "aboutAccountId", request_id AS "requestId"`,
);

/**
 * Removes and returns the oldest batch that no other transaction has locked. If the transaction is rolled back, the
 * batch is kept.
 * @returns null if there is none.
 */
export const takeMailBatch = async (sql: Sql): Promise<MailBatch | null> => (await sql.query(take, []))[0] ?? null;
