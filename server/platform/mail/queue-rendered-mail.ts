import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { insertMails, type MailText } from "../../data/mail/mail.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { isEmailAddress } from "../../kernel/text/email-address.ts";
import { dateId } from "../../kernel/time/dated.ts";
import { oneLine } from "./rules/mail-body.ts";

const notAnAddress = "not an address";

type Rendered = Omit<MailText, "createdAt"> & { recipients: readonly string[]; requestId: string };

/**
 * Queues a mail that is already rendered, to each recipient, with one statement. An invalid address doesn't fail the
 * transaction: its mail is stored as failed, and operators see it in the outbox.
 * @returns the ids of the mails.
 */
export const queueRenderedMail = async (
  { clock }: Pick<Deps, "clock">,
  sql: Sql,
  { requestId, recipients, ...mail }: Rendered,
): Promise<string[]> => {
  if (recipients.length === 0) return [];
  const at = clock.now();
  const mails = recipients.map((recipient) => {
    const id = dateId(newId("mail"), at);
    if (isEmailAddress(recipient)) return { id, recipient, problem: null };
    return { id, recipient: oneLine(recipient), problem: notAnAddress };
  });
  await insertMails(sql, mails, { ...mail, createdAt: at });
  for (const { id, problem } of mails) {
    if (problem === null) continue;
    await appendAudit(sql, {
      at,
      actor: { kind: "system", id: "mail" },
      action: "mail.given_up",
      subjectId: id,
      requestId,
      data: { kind: mail.kind, problem },
    });
  }
  return mails.map(({ id }) => id);
};
