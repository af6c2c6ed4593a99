import { type Translator, translator } from "#server/kernel/messages/translator.ts";
import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import { formatCap } from "./cap.ts";
import { describeCurrentEnd, describeMandateEnd } from "./consent-end.ts";
import { type Fact, groupFacts, plainText } from "./consent-facts.ts";
import { type LimitUnit, listLimits } from "./consent-limits.ts";
import type { ConsentRequest, RequestedMandate, Terms } from "./consent-request.ts";

/** Texts of the consent page, in the reader's language. The page and the stored text use the same ones. */
export const consentTexts = (locale: string) => {
  const t = translator(locale, "consent");
  return {
    title: ({ client, replaces }: Pick<ConsentRequest, "client" | "replaces">) =>
      t(replaces ? "titleChange" : "title", { client: client.name }),
    intro: ({ replaces }: Pick<ConsentRequest, "replaces">) => t(replaces ? "introChange" : "intro"),
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
  const end = describeMandateEnd(details, now, reader);
  const withNote = (label: string, note: string) => (note === "" ? label : `${label} (${note})`);
  const unitTexts = { currency: details.currency, locale: reader.locale, t: translator(reader.locale, "consent-form") };
  const capText = (cap: number | null, unit: LimitUnit) =>
    cap === null ? t("noLimitInText") : formatCap(cap, unit, unitTexts);
  const withCurrent = (text: string, current: string | null) =>
    current === null ? text : t("nowValue", { text, current });
  const factLine = ({ text, current }: Fact) => withCurrent(plainText(text), current ? plainText(current) : null);
  const { payees, others } = groupFacts(mandate, { now, reader });
  return [
    ...(details.purpose ? [`${purposeLabel}: ${t("quoted", { text: details.purpose })}`] : []),
    ...payees.map(factLine),
    ...listLimits(mandate, index, { now, reader }).map(({ label, note, unit, cap, current }) =>
      withCurrent(
        `${withNote(label, note)}: ${capText(cap, unit)}`,
        current === undefined ? null : capText(current, unit),
      ),
    ),
    withCurrent(`${withNote(t("endsOn"), end.note)}: ${end.text}`, describeCurrentEnd(mandate, now, reader)),
    ...others.map(factLine),
  ];
};
