import type { Config } from "../../deps/config.ts";
import { sendDueMail } from "../../platform/mail/send-due-mail.ts";
import { createSmtpSender } from "../../platform/mail/smtp.ts";
import type { Tick } from "../job.ts";

/** Each message uses its own connection to the mail server. */
const batchSize = 5;

export const createSendMailTick = ({ smtpUrl, mailFrom }: Pick<Config, "smtpUrl" | "mailFrom">): Tick => {
  const send = smtpUrl === null ? null : createSmtpSender({ smtpUrl, mailFrom });
  return {
    name: "send-mail",
    intervalMilliseconds: 1_000,
    isDue: ({ mail }) => mail,
    async run(deps) {
      const done = await sendDueMail(deps, send, { limit: batchSize });
      return { done, hasMore: done === batchSize };
    },
  };
};
