import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { retryFailedMail } from "../../data/mail/mail.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { isEmailAddress } from "../../kernel/text/email-address.ts";
import { getWholeMail } from "./get-mail.ts";

type Input = { mailId: string; reason: string; actor: Actor; requestId: string };

/**
 * Restarts the attempts for a failed mail, with the same Message-ID. A second call changes nothing.
 * @throws DomainError mail_not_found, mail_not_retryable if no attempt could succeed.
 */
export const retryMail = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { mailId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> => {
  const mail = await getWholeMail(db.sql, mailId);
  const at = clock.now();
  const { createdAt, obsoleteAfter, state } = mail;
  if (state === "failed" && (!isEmailAddress(mail.recipient) || (obsoleteAfter !== null && obsoleteAfter <= at))) {
    const message = "This e-mail can’t be sent again: it is outdated, or its recipient isn’t a valid e-mail address.";
    throw new DomainError("conflict", { code: "mail_not_retryable", message });
  }
  return db.sqlTransaction(async (sql) => {
    const isNew = await retryFailedMail(sql, { id: mailId, createdAt, at });
    if (isNew) {
      await appendAudit(sql, {
        at,
        actor,
        requestId,
        action: "mail.retried",
        subjectId: mailId,
        data: { kind: mail.kind, reason },
      });
    }
    return { isNew };
  });
};
