import { type Sql, statement } from "./client.ts";

export type NewMailRow = {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
  uselessAfter: Date | null;
  /** why it can't be sent at all; null: it waits to be */
  problem: string | null;
};

const insert = statement<never>(
  "insert_mail",
  `INSERT INTO mail (id, kind, recipient, subject, text, html, created_at, useless_after, problem, state, next_attempt_at, ended_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7::timestamptz, $8::timestamptz, $9,
     CASE WHEN $9::text IS NULL THEN 'pending' ELSE 'failed' END::mail_state,
     CASE WHEN $9::text IS NULL THEN $7::timestamptz END, CASE WHEN $9::text IS NOT NULL THEN $7::timestamptz END)`,
);

/** In the transaction of what it tells of. */
export const insertMail = async (sql: Sql, mail: NewMailRow): Promise<void> => {
  await sql.query(insert, [
    ...[mail.id, mail.kind, mail.recipient, mail.subject, mail.text, mail.html],
    ...[mail.createdAt, mail.uselessAfter, mail.problem],
  ]);
};
