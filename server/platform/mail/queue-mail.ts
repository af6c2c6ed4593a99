import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { insertMail } from "../../data/mail/mail.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { isEmailAddress } from "../../kernel/text/email-address.ts";
import { dateId } from "../../kernel/time/dated.ts";
import { oneLine } from "./rules/mail-body.ts";
import type { MailContent } from "./rules/mail-content.ts";

export type { ContentOf } from "./rules/mail-content.ts";

import { renderMail } from "./rules/render-mail.ts";

export type NewMail = {
  recipient: string;
  content: MailContent;
  /** after this time it is no longer sent; absent: no limit */
  obsoleteAfter?: Date;
  /** a POST to it ends the subscription that the mail belongs to (RFC 8058) */
  unsubscribeUrl?: string;
  /** the page on which the recipient switches this kind of mail off */
  choiceUrl?: string;
  requestId: string;
};

const notAnAddress = "not an address";

/**
 * Queues a mail in the transaction of the event that it reports, so that it is sent only if that commits. An invalid
 * address doesn't fail the transaction: the mail is stored as failed, and operators see it in the outbox.
 * @returns the mail's id.
 */
export const queueMail = async (
  { config, clock }: Pick<Deps, "config" | "clock">,
  sql: Sql,
  mail: NewMail,
): Promise<string> => {
  const { recipient, content, obsoleteAfter = null, unsubscribeUrl = null, choiceUrl = null, requestId } = mail;
  const at = clock.now();
  const id = dateId(newId("mail"), at);
  const isAddress = isEmailAddress(recipient);
  await insertMail(sql, {
    id,
    kind: content.kind,
    createdAt: at,
    obsoleteAfter,
    unsubscribeUrl,
    ...renderMail(content, { environment: config.environment, choiceUrl }),
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
