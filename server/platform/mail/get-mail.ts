import { findMailById, type MailRow } from "../../data/mail/outbox.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

/** One mail with its texts. @throws DomainError mail_not_found. */
export const getMail = async (
  { db }: Pick<Deps, "db">,
  { mailId }: { mailId: string },
): Promise<MailRow & { text: string; html: string }> => {
  const mail = await findMailById(db.sql, mailId);
  if (!mail) {
    throw new DomainError("not_found", {
      code: "mail_not_found",
      message: "E-mail not found. E-mails are deleted after 30 days.",
    });
  }
  return mail;
};
