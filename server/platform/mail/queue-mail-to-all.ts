import type { Sql } from "../../data/client.ts";
import { insertMailBatch } from "../../data/mail/mail-batches.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { type NewMail, queueMail } from "./queue-mail.ts";
import { renderMail } from "./rules/render-mail.ts";

/** More recipients than this get their mails from a worker, so that the transaction of the event stays short. */
export const mostMailsAtOnce = 20;
/** Recipients of a batch, whose mails are queued in one transaction. */
export const mailBatchSize = 100;

type MailToAll = Pick<NewMail, "content" | "aboutAccountId" | "requestId"> & { recipients: readonly string[] };

/** Queues the same mail to each recipient, in the transaction of the event that it reports. */
export const queueMailToAll = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { recipients, ...mail }: MailToAll,
): Promise<void> => {
  if (recipients.length <= mostMailsAtOnce) {
    for (const recipient of recipients) await queueMail(deps, sql, { ...mail, recipient });
    return;
  }
  const { content, aboutAccountId = null, requestId } = mail;
  const rendered = renderMail(content, { environment: deps.config.environment });
  for (let start = 0; start < recipients.length; start += mailBatchSize) {
    await insertMailBatch(sql, {
      ...rendered,
      id: newId("mail"),
      at: deps.clock.now(),
      kind: content.kind,
      recipients: recipients.slice(start, start + mailBatchSize),
      aboutAccountId,
      requestId,
    });
  }
};
