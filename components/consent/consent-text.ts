import { type Translator, translator } from "#server/kernel/messages/translator.ts";
import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import { describeCurrentEnd, describeMandateEnd } from "./consent-end.ts";
import { type Fact, groupFacts, plainText } from "./consent-facts.ts";
import { type ConsentLimit, listLimits } from "./consent-limits.ts";
import type { ConsentRequest, RequestedMandate, Terms } from "./consent-request.ts";
import { endSentence, limitSentence, plainSentence } from "./limits/limit-sentence.ts";

/** The texts of the consent page in the reader's language. The page and the stored text both use them. */
export const consentTexts = (locale: string) => {
  const t = translator(locale, "consent");
  return {
    title: ({ client, replaces }: Pick<ConsentRequest, "client" | "replaces">) =>
      t(replaces ? "titleChange" : "title", { client: client.name }),
    intro: ({ replaces, mandates }: Pick<ConsentRequest, "replaces" | "mandates">) => {
      const canCharge = mandates.some(({ details }) => details.actions.includes("charge"));
      return t(replaces ? "introChange" : canCharge ? "intro" : "introCheck");
    },
    purpose: ({ client }: Pick<ConsentRequest, "client">) => t("purpose", { client: client.name }),
    rights: ({ client, rights }: Pick<ConsentRequest, "client" | "rights">) => {
      if (rights.length === 0) return null;
      const list = new Intl.ListFormat(locale, { type: "conjunction" }).format(
        rights.map((right) => t(`rights.${right}`)),
      );
      return t("mayAlso", { client: client.name, rights: list });
    },
    afterDecision: ({ redirectHost, replaces }: Pick<ConsentRequest, "redirectHost" | "replaces">) =>
      t(replaces ? "afterChange" : "after", { host: redirectHost }),
    endingMandate: ({ details }: Terms, reader: Reader) =>
      t("ends", {
        purpose: details.purpose ? t("quoted", { text: details.purpose }) : t("noPurpose"),
        limit: describeMainLimit(details, reader, t),
      }),
  };
};

const describeMainLimit = (details: Terms["details"], reader: Reader, t: Translator<"consent">): string => {
  const { currency, max_total_amount: total, max_amount_per_payment: perPayment } = details;
  const periodic = details.periodic_limits?.find(({ max_amount }) => max_amount !== undefined);
  const amountOf = (minor: number) => ({ amount: formatAmount(minor, currency, reader) });
  if (total !== undefined) return t("upToTotal", amountOf(total));
  if (perPayment !== undefined) return t("upToPayment", amountOf(perPayment));
  return t(`upToPeriod.${periodic?.period ?? "month"}`, amountOf(periodic?.max_amount ?? 0));
};

/**
 * The page as plain text. It is sealed into the form and stored with the decision, word for word (docs/spec/portal.md,
 * Consent).
 */
export const renderConsentText = (
  request: Omit<ConsentRequest, "formToken">,
  { reader, now }: { reader: Reader; now: Date },
): string => {
  const { client, payer, redirectHost, replaces } = request;
  const t = translator(reader.locale, "consent");
  const texts = consentTexts(reader.locale);
  const party = { domain: client.domain ?? redirectHost };
  const who = client.isVerified ? t("verified", party) : t("notVerified", party);
  return [
    `${client.name}, ${who}`,
    ...(client.appName === client.name ? [] : [t("app", { name: client.appName })]),
    ...(client.isVerified ? [] : [t.markup("unverified", { host: redirectHost, b: (chunks) => chunks })]),
    texts.title(request),
    t.markup("onBehalfOf", { ...payer, b: (chunks) => chunks }),
    texts.intro(request),
    ...request.mandates.flatMap((mandate, index) => [
      ...(replaces && mandate.current === null ? [t("newMandate")] : []),
      ...renderMandate(mandate, { index, purposeLabel: texts.purpose(request), reader, now }),
    ]),
    ...[texts.rights(request) ?? []].flat(),
    ...(replaces?.ends ?? []).map((terms) => texts.endingMandate(terms, reader)),
    `${t("budget")} · ${t("budgetNote")}`,
    texts.afterDecision(request),
  ].join("\n");
};

const renderMandate = (
  mandate: RequestedMandate,
  { index, purposeLabel, reader, now }: { index: number; purposeLabel: string; reader: Reader; now: Date },
): string[] => {
  const { details } = mandate;
  const t = translator(reader.locale, "consent");
  const form = translator(reader.locale, "consent-form");
  const texts = { currency: details.currency, locale: reader.locale, t: form };
  const withCurrent = (text: string, { next, current }: { next: string; current: string | null }) => {
    if (current === null) return text;
    return next === current ? t("unchangedValue", { text }) : t("nowValue", { text, current });
  };
  const limitLine = (limit: ConsentLimit) => {
    const sentenceOf = (cap: number | null) => plainSentence(limitSentence(cap, limit, texts));
    const next = sentenceOf(limit.cap);
    const current = limit.current === undefined ? null : sentenceOf(limit.current);
    return withCurrent(limit.note === "" ? next : `${next}, ${limit.note}`, { next, current });
  };
  const endLine = () => {
    const end = describeMandateEnd(details, now, reader);
    const current = describeCurrentEnd(mandate, now, reader);
    const next = plainSentence(endSentence(end.text, form));
    const inForce = current === null ? null : plainSentence(endSentence(current, form));
    return withCurrent(`${next} (${end.note})`, { next, current: inForce });
  };
  const factLine = ({ text, current }: Fact) =>
    withCurrent(plainText(text), { next: plainText(text), current: current ? plainText(current) : null });
  const { payees, others } = groupFacts(mandate, { now, reader });
  return [
    ...(details.purpose ? [`${purposeLabel}: ${t("quoted", { text: details.purpose })}`] : []),
    ...payees.map(factLine),
    ...listLimits(mandate, index, { now, reader }).map(limitLine),
    endLine(),
    ...others.map(factLine),
  ];
};
