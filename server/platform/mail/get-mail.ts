import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { findMailById, type MailRow } from "../../data/mail/outbox.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

export const mailNotFound = (): DomainError =>
  new DomainError("not_found", {
    code: "mail_not_found",
    message: "E-mail not found. E-mails are deleted after 30 days.",
  });

/**
 * One mail with its texts. Reading it is audited, because it may contain a code or a link.
 * @throws DomainError mail_not_found.
 */
export const getMail = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { mailId, actor, requestId }: { mailId: string; actor: Actor; requestId: string },
): Promise<MailRow & { text: string; html: string }> =>
  db.sqlTransaction(async (sql) => {
    const mail = await findMailById(sql, mailId);
    if (!mail) throw mailNotFound();
    const data = { kind: mail.kind };
    await appendAudit(sql, { at: clock.now(), actor, requestId, action: "mail.read", subjectId: mailId, data });
    return mail;
  });
