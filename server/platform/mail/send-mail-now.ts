import type { Deps } from "../../deps/deps.ts";
import { isEmailAddress } from "../../kernel/text/email-address.ts";
import type { MailContent } from "./rules/mail-content.ts";
import { renderMail } from "./rules/render-mail.ts";
import type { MailSender, SendOutcome } from "./smtp.ts";

type Mail = {
  /** the same for each attempt, so that mail programs show one message */
  id: string;
  recipient: string;
  content: MailContent;
  createdAt: Date;
  unsubscribeUrl: string | null;
};

/**
 * Sends one mail without the queue, while the database is unavailable. Makes one attempt. The caller stores the
 * outcome.
 */
export const sendMailNow = async (
  { config }: Pick<Deps, "config">,
  send: MailSender,
  { content, ...mail }: Mail,
): Promise<SendOutcome> =>
  isEmailAddress(mail.recipient)
    ? send({ ...mail, ...renderMail(content, { environment: config.environment }) })
    : { kind: "failed", problem: "not an address", isFinal: true };
