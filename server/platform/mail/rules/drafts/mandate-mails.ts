import { translator } from "../../../../kernel/messages/translator.ts";
import { formatMoney } from "../../../../kernel/money/money.ts";
import { type Draft, oneLine, paragraphs } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatMailTime } from "../mail-dates.ts";
import type { MailLimit } from "../payment-mail-content.ts";

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
  if (content.change === "replaced") return draftReplacementMail(content);
  const t = translator(content.reader.locale, "payment-mails");
  const { change, limits, purpose, count, by, at, mandateUrl, reader } = content;
  const client = oneLine(content.clientName);
  return {
    subject: t(`mandateChanged.${change}`, { client, count }),
    blocks: [
      t(`mandateChanged.${change}Text`, { client, count }),
      ...(limits.length > 0 ? [{ list: limits.flatMap(paragraphs) }] : []),
      {
        facts: [
          ...(purpose ? [[t("purpose"), oneLine(purpose)] as const] : []),
          ...(count > 1 ? [[t("mandateChanged.count"), String(count)] as const] : []),
          [t("when"), formatMailTime(at, reader)],
          [t("mandateChanged.by"), t(`mandateChanged.actors.${by}`)],
        ],
      },
      { button: { label: t("mandateChanged.link"), href: mandateUrl } },
      t("mandateChanged.unexpected"),
    ],
  };
};

const draftReplacementMail = (content: ContentOf<"mandate_changed"> & { change: "replaced" }): Draft => {
  const t = translator(content.reader.locale, "payment-mails");
  const { terms, ended, at, mandateUrl, reader } = content;
  const client = oneLine(content.clientName);
  return {
    subject: t("mandateChanged.replaced", { client }),
    blocks: [
      t("mandateChanged.replacedText", { client }),
      { list: terms.flatMap(paragraphs) },
      ...(ended > 0 ? [t("mandateChanged.alsoEnded", { count: ended })] : []),
      { facts: [[t("when"), formatMailTime(at, reader)]] },
      { button: { label: t("consentGiven.link"), href: mandateUrl } },
      t("consentGiven.unexpected", { client }),
    ],
  };
};

export const draftLimitMail = (content: ContentOf<"limit_near">): Draft => {
  const t = translator(content.reader.locale, "payment-mails");
  const { limits, mandateUrl } = content;
  const client = oneLine(content.clientName);
  return {
    subject: t("limitNear.subject", { client }),
    blocks: [
      t("limitNear.text", { client, count: limits.length }),
      { facts: limits.flatMap((limit) => limitFacts(limit, content)) },
      { button: { label: t("limitNear.link"), href: mandateUrl } },
      t("limitNear.next", { client }),
    ],
  };
};

const limitFacts = ({ period, used, cap, currency, resetsAt }: MailLimit, { reader }: ContentOf<"limit_near">) => {
  const t = translator(reader.locale, "payment-mails");
  const amount = (amountMinor: bigint) => formatMoney({ amountMinor, currency: currency ?? "" }, reader.locale);
  const percent = new Intl.NumberFormat(reader.locale, { style: "percent", roundingMode: "floor" });
  const share = percent.format(Number(used) / Number(cap));
  const use =
    currency === null
      ? t("limitNear.payments", { used: used.toString(), cap: Number(cap), share })
      : t("limitNear.amounts", { used: amount(used), cap: amount(cap), share });
  return [
    [t(`limitNear.limits.${period}`), use] as const,
    ...(resetsAt === null ? [] : [[t("limitNear.resets"), formatMailTime(resetsAt, reader)] as const]),
  ];
};
