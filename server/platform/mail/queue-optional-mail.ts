import type { Sql } from "../../data/client.ts";
import type { MailRecipient } from "../../data/mail/recipients.ts";
import type { Deps } from "../../deps/deps.ts";
import type { OptionalMailKind } from "../../kernel/mail-kinds.ts";
import { mailChoiceLinks } from "./mail-choice.ts";
import { queueMail } from "./queue-mail.ts";
import type { MailContent } from "./rules/mail-content.ts";

type OptionalMail = {
  recipient: MailRecipient;
  content: MailContent & { kind: OptionalMailKind };
  requestId: string;
};

/**
 * `queueMail` for a kind of mail that payers can switch off. The mail contains links to switch it off without signing
 * in.
 */
export const queueOptionalMail = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { recipient, content, requestId }: OptionalMail,
): Promise<void> => {
  const links = mailChoiceLinks(deps, { accountId: recipient.accountId, kind: content.kind });
  await queueMail(deps, sql, { recipient: recipient.email, content, requestId, ...links });
};
