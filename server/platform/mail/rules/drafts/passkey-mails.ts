import { translator } from "../../../../kernel/messages/translator.ts";
import { type Draft, oneLine } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatMailTime } from "../mail-dates.ts";

export const draftPasskeyMail = (content: ContentOf<"passkey_added" | "passkey_removed">): Draft => {
  const t = translator(content.reader.locale, "account-mails");
  const { kind, name, at, securityUrl, reader } = content;
  const change = kind === "passkey_added" ? "passkeyAdded" : "passkeyRemoved";
  return {
    subject: t(`${change}.subject`),
    blocks: [
      t(`${change}.text`),
      {
        facts: [
          [t("passkey"), oneLine(name)],
          [t("when"), formatMailTime(at, reader)],
        ],
      },
      { button: { label: t("passkeyLink"), href: securityUrl } },
      t(`${change}.unexpected`),
    ],
  };
};
