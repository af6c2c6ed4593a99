import type { Deps } from "../../deps/deps.ts";
import { isEmailAddress } from "../../kernel/text/email-address.ts";
import { type MailContent, renderMail } from "./rules/mail-kinds.ts";
import type { MailSender, SendOutcome } from "./smtp.ts";

type Mail = {
  /** the same at each try, so that a reader's mail program sees one */
  id: string;
  recipient: string;
  content: MailContent;
  createdAt: Date;
  unsubscribeUrl: string | null;
};

/** Sends one mail past the queue, which is in a database that may be away. One try; the caller keeps what became of it. */
export const sendMailNow = async (
  { config }: Pick<Deps, "config">,
  send: MailSender,
  { content, ...mail }: Mail,
): Promise<SendOutcome> =>
  isEmailAddress(mail.recipient)
    ? send({ ...mail, ...renderMail(content, config.environment) })
    : { kind: "failed", problem: "not an address", isFinal: true };
