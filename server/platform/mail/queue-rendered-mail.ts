import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { insertMail, type NewMailRow } from "../../data/mail/mail.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { isEmailAddress } from "../../kernel/text/email-address.ts";
import { dateId } from "../../kernel/time/dated.ts";
import { oneLine } from "./rules/mail-body.ts";

const notAnAddress = "not an address";

type RenderedRow = Omit<NewMailRow, "id" | "createdAt" | "problem"> & { requestId: string };

/**
 * Queues a mail that is rendered already. An invalid address doesn't fail the transaction: the mail is stored as failed,
 * and operators see it in the outbox.
 * @returns the mail's id.
 */
export const queueRenderedMail = async (
  { clock }: Pick<Deps, "clock">,
  sql: Sql,
  { requestId, ...mail }: RenderedRow,
): Promise<string> => {
  const at = clock.now();
  const id = dateId(newId("mail"), at);
  const isAddress = isEmailAddress(mail.recipient);
  const addressed = isAddress ? { problem: null } : { recipient: oneLine(mail.recipient), problem: notAnAddress };
  await insertMail(sql, { ...mail, ...addressed, id, createdAt: at });
  if (!isAddress) {
    await appendAudit(sql, {
      at,
      actor: { kind: "system", id: "mail" },
      action: "mail.given_up",
      subjectId: id,
      requestId,
      data: { kind: mail.kind, problem: notAnAddress },
    });
  }
  return id;
};
