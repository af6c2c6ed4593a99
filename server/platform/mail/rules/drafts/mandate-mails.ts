import { translator } from "../../../../kernel/messages/translator.ts";
import { formatMoney } from "../../../../kernel/money/money.ts";
import { type Draft, type MailBlock, oneLine, paragraphs } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatMailTime } from "../mail-dates.ts";

export const draftConsentMail = (content: ContentOf<"consent_given">): Draft => {
  const t = translator(content.reader.locale, "payment-mails");
  const { terms, at, mandateUrl, reader } = content;
  const client = oneLine(content.clientName);
  return {
    subject: t("consentGiven.subject", { client }),
    blocks: [
      t("consentGiven.text", { client }),
      { list: terms.flatMap(paragraphs) },
      { facts: [[t("when"), formatMailTime(at, reader)]] },
      { button: { label: t("consentGiven.link"), href: mandateUrl } },
      t("consentGiven.unexpected", { client }),
    ],
  };
};

export const draftMandateChangeMail = (content: ContentOf<"mandate_changed">): Draft => {
  const t = translator(content.reader.locale, "payment-mails");
  const { change, by, at, mandateUrl, reader } = content;
  const client = oneLine(content.clientName);
  return {
    subject: t(`mandateChanged.${change}`, { client }),
    blocks: [
      t(`mandateChanged.${change}Text`, { client }),
      {
        facts: [
          [t("when"), formatMailTime(at, reader)],
          [t("mandateChanged.by"), t(`mandateChanged.actors.${by}`)],
        ],
      },
      { button: { label: t("mandateChanged.link"), href: mandateUrl } },
      t("mandateChanged.unexpected"),
    ],
  };
};

export const draftLimitMail = (content: ContentOf<"limit_near">): Draft => {
  const t = translator(content.reader.locale, "payment-mails");
  const { limit, used, cap, currency, resetsAt, mandateUrl, reader } = content;
  const client = oneLine(content.clientName);
  const amount = (amountMinor: bigint) => formatMoney({ amountMinor, currency: currency ?? "" }, reader.locale);
  const use =
    currency === null
      ? t("limitNear.payments", { used: used.toString(), cap })
      : t("limitNear.amounts", { used: amount(used), cap: amount(cap) });
  const percent = new Intl.NumberFormat(reader.locale, { style: "percent", roundingMode: "floor" });
  const facts: MailBlock = {
    facts: [
      [t("limitNear.limit"), t(`limitNear.limits.${limit}`)],
      [t("limitNear.used"), use],
      ...(resetsAt === null ? [] : [[t("limitNear.resets"), formatMailTime(resetsAt, reader)] as const]),
    ],
  };
  return {
    subject: t("limitNear.subject", { client }),
    blocks: [
      t("limitNear.text", { client, percent: percent.format(Number(used) / Number(cap)) }),
      facts,
      { button: { label: t("limitNear.link"), href: mandateUrl } },
      t("limitNear.next", { client }),
    ],
  };
};
