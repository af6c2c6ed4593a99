import { newId } from "../kernel/ids.ts";
import { type Sql, statement } from "./client.ts";

const insert = statement<never>(
  "insert_mail",
  "INSERT INTO mail (id, recipient, subject, text, created_at) VALUES ($1, $2, $3, $4, $5::timestamptz)",
);

/** Outbox: in the transaction of what it tells of. */
export const insertMail = async (
  sql: Sql,
  mail: { recipient: string; subject: string; text: string; at: Date },
): Promise<void> => {
  await sql.query(insert, [newId("mail"), mail.recipient, mail.subject, mail.text, mail.at]);
};
