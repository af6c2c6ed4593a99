import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { findMailById, type MailRow } from "../../data/mail/outbox.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

/** One mail with its texts, which operators may see only through `getMailTexts`. @throws DomainError mail_not_found. */
export const getWholeMail = async (sql: Sql, mailId: string) => {
  const mail = await findMailById(sql, mailId);
  if (mail) return mail;
  throw new DomainError("not_found", {
    code: "mail_not_found",
    message: "E-mail not found. E-mails are deleted after 30 days.",
  });
};

/** One mail without its texts. @throws DomainError mail_not_found. */
export const getMail = async ({ db }: Pick<Deps, "db">, { mailId }: { mailId: string }): Promise<MailRow> => {
  const { text: _text, html: _html, ...mail } = await getWholeMail(db.sql, mailId);
  return mail;
};

/**
 * The texts of one mail. Reading them is audited, because they may contain a code or a link.
 * @throws DomainError mail_not_found.
 */
export const getMailTexts = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { mailId, actor, requestId }: { mailId: string; actor: Actor; requestId: string },
): Promise<{ text: string; html: string }> =>
  db.sqlTransaction(async (sql) => {
    const { kind, text, html } = await getWholeMail(sql, mailId);
    await appendAudit(sql, {
      at: clock.now(),
      actor,
      requestId,
      action: "mail.read",
      subjectId: mailId,
      data: { kind },
    });
    return { text, html };
  });
