import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { queueRenderedMail } from "./queue-rendered-mail.ts";
import type { MailContent } from "./rules/mail-content.ts";
import { renderMail } from "./rules/render-mail.ts";

export type { ContentOf } from "./rules/mail-content.ts";

export type NewMail = {
  recipient: string;
  content: MailContent;
  /** from this time on, the mail is no longer sent; absent: no limit */
  obsoleteAfter?: Date;
  /** a POST to this URL ends the subscription that the mail belongs to (RFC 8058) */
  unsubscribeUrl?: string;
  /** the page on which the recipient switches this kind of mail off */
  choiceUrl?: string;
  /** an account that had this address or will get it, so that the account's erasure finds the mail */
  formerRecipientId?: string;
  /** another person whom the content names, so that this person's erasure finds the mail */
  aboutAccountId?: string;
  requestId: string;
};

/**
 * Queues a mail in the transaction of the event that the mail reports, so that it is sent only if the transaction
 * commits. For an event with any number of recipients, use `queueMailToAll`.
 * @returns the mail's id.
 */
export const queueMail = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { content, choiceUrl, recipient, ...mail }: NewMail,
): Promise<string> => {
  const [id = ""] = await queueRenderedMail(deps, sql, {
    obsoleteAfter: null,
    unsubscribeUrl: null,
    formerRecipientId: null,
    aboutAccountId: null,
    ...mail,
    recipients: [recipient],
    kind: content.kind,
    ...renderMail(content, { environment: deps.config.environment, choiceUrl: choiceUrl ?? null }),
  });
  return id;
};
