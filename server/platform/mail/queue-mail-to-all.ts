import type { Sql } from "../../data/client.ts";
import { insertMailBatch } from "../../data/mail/mail-batches.ts";
import type { MailAddressee } from "../../data/mail/recipients.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import type { NewMail } from "./queue-mail.ts";
import { queueRenderedMail } from "./queue-rendered-mail.ts";
import type { MailContent } from "./rules/mail-content.ts";
import { renderMail } from "./rules/render-mail.ts";

/** More recipients than this get their mails from a worker, so that the transaction of the event stays short. */
export const maxMailsAtOnce = 20;
/** The largest number of recipients of a batch. The mails of a batch are queued in one transaction. */
export const mailBatchSize = 100;

type MailToAll = Pick<NewMail, "content" | "aboutAccountId" | "requestId"> & {
  recipients: readonly string[];
  /** whether the event has more than `maxMailsAtOnce` recipients; default: whether `recipients` has more */
  isLarge?: boolean;
};

type MailToEach = Omit<MailToAll, "content" | "recipients" | "isLarge"> & {
  recipients: readonly MailAddressee[];
  content: (timeZone: string) => MailContent;
};

/** Like `queueMailToAll`, with times in each recipient's time zone. Renders the mail once for each zone. */
export const queueMailToEach = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { recipients, content, ...mail }: MailToEach,
): Promise<void> => {
  const isLarge = recipients.length > maxMailsAtOnce;
  for (const [timeZone, readers] of Map.groupBy(recipients, (recipient) => recipient.timeZone)) {
    await queueMailToAll(deps, sql, {
      ...mail,
      recipients: readers.map(({ email }) => email),
      content: content(timeZone),
      isLarge,
    });
  }
};

/** Queues the same mail to each recipient, in the transaction of the event that the mail reports. */
export const queueMailToAll = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { recipients, content, aboutAccountId, requestId, isLarge = recipients.length > maxMailsAtOnce }: MailToAll,
): Promise<void> => {
  const rendered = renderMail(content, { environment: deps.config.environment });
  const mail = { ...rendered, kind: content.kind, aboutAccountId: aboutAccountId ?? null, requestId };
  if (!isLarge) {
    const always = { obsoleteAfter: null, unsubscribeUrl: null, formerRecipientId: null };
    await queueRenderedMail(deps, sql, { ...mail, ...always, recipients });
    return;
  }
  for (let start = 0; start < recipients.length; start += mailBatchSize) {
    await insertMailBatch(sql, {
      ...mail,
      id: newId("mail"),
      at: deps.clock.now(),
      recipients: recipients.slice(start, start + mailBatchSize),
    });
  }
};
