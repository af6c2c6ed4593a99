import type { OptionalMailKind } from "../../kernel/mail-kinds.ts";
import { type Sql, statement } from "../client.ts";

export type MailRecipient = { accountId: string; email: string; locale: string; timeZone: string };

/** The recipient of an e-mail in English, and the time zone for the times in it. */
export type MailAddressee = Pick<MailRecipient, "email" | "timeZone">;

/** SQL: the columns of `MailRecipient`, of account `a`. */
export const recipientColumns = `a.id AS "accountId", a.email, a.locale, a.time_zone AS "timeZone"`;

/** SQL: whether account `a` gets e-mails of a kind. An erased account has no address. @param kind an SQL expression. */
export const wantsMail = (kind: string): string =>
  `a.deleted_at IS NULL AND NOT EXISTS (SELECT FROM notification_choice o WHERE o.account_id = a.id AND o.kind = ${kind})`;

const find = statement<MailRecipient>(
  "find_mail_recipient",
  `SELECT ${recipientColumns} FROM account a WHERE a.id = $1 AND ${wantsMail("$2")}`,
);

/** @returns null if the account switched this kind of e-mail off, or was deleted. */
export const findMailRecipient = async (
  sql: Sql,
  { accountId, kind }: { accountId: string; kind: OptionalMailKind },
): Promise<MailRecipient | null> => (await sql.query(find, [accountId, kind]))[0] ?? null;
