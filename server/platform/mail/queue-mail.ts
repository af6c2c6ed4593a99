import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { insertMail } from "../../data/mail/mail.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { isEmailAddress } from "../../kernel/text/email-address.ts";
import { dateId } from "../../kernel/time/dated.ts";
import { oneLine } from "./rules/mail-body.ts";
import { type MailContent, renderMail } from "./rules/mail-kinds.ts";

export type NewMail = {
  recipient: string;
  content: MailContent;
  /** what it tells of is over then, and it is sent no more; absent: it never is */
  uselessAfter?: Date;
  /** one click there ends what the mail is part of (RFC 8058); absent: it is part of nothing */
  unsubscribeUrl?: string;
  requestId: string;
};

const notAnAddress = "not an address";

/**
 * Queues a mail in the transaction of what it tells of: it is sent if that commits, and never otherwise. What can't be
 * an address breaks nothing: the mail is kept as given up, for the operator to see.
 * @returns its id.
 */
export const queueMail = async (
  { config, clock }: Pick<Deps, "config" | "clock">,
  sql: Sql,
  mail: NewMail,
): Promise<string> => {
  const { recipient, content, uselessAfter = null, unsubscribeUrl = null, requestId } = mail;
  const at = clock.now();
  const id = dateId(newId("mail"), at);
  const isAddress = isEmailAddress(recipient);
  await insertMail(sql, {
    id,
    kind: content.kind,
    createdAt: at,
    uselessAfter,
    unsubscribeUrl,
    ...renderMail(content, config.environment),
    ...(isAddress ? { recipient, problem: null } : { recipient: oneLine(recipient), problem: notAnAddress }),
  });
  if (!isAddress) {
    await appendAudit(sql, {
      at,
      actor: { kind: "system", id: "mail" },
      action: "mail.given_up",
      subjectId: id,
      requestId,
      data: { kind: content.kind, problem: notAnAddress },
    });
  }
  return id;
};
