import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import { type Fact, groupFacts, plainText } from "./consent-facts.ts";
import {
  type ConsentRequest,
  describeCurrentEnd,
  describeMandateEnd,
  listAmountLimits,
  type RequestedMandate,
  type Terms,
} from "./consent-limits.ts";

/** Texts of the consent page. The page and the stored text use the same ones. */
export const consentTexts = {
  title: ({ client, replaces }: Pick<ConsentRequest, "client" | "replaces">) =>
    replaces ? `Change what ${client.name} may spend?` : `Let ${client.name} pay for you?`,
  intro: ({ replaces }: Pick<ConsentRequest, "replaces">) =>
    replaces
      ? "It asks to change the limits that you approved. Each line shows the current limit, then the new one. Nothing changes until you approve. Amounts that are already spent still count."
      : "It can spend your money up to these limits. You can lower them now, and pause or stop it at any time.",
  purpose: ({ client }: Pick<ConsentRequest, "client">) => `What ${client.name} says it’s for`,
  inFlight: "If you stop it, payments that are already authorised may still complete",
  rights: ({ client, rights }: Pick<ConsentRequest, "client" | "rights">) =>
    rights.length === 0 ? null : `${client.name} may also ${rights.join(" and ")}`,
  budget: "Merchants may see what is left",
  budgetNote: "otherwise, they learn only whether a payment is within the limits",
  unverified:
    "Paygrant hasn’t verified who this is: anyone can register under this name. Approve only if you started this yourself, at",
  afterDecision: ({ redirectHost, replaces }: Pick<ConsentRequest, "redirectHost" | "replaces">) =>
    `After you decide, you return to ${redirectHost}. If you decline, ${replaces ? "nothing changes" : "nothing is allowed"}.`,
  endingMandate: ({ details }: Terms, reader: Reader) =>
    `If you approve, this mandate ends: ${details.purpose ? `“${details.purpose}”` : "no purpose given"}, ${describeMainLimit(details, reader)}.`,
};

const describeMainLimit = (details: Terms["details"], reader: Reader): string => {
  const { currency, max_total_amount: total, max_amount_per_payment: perPayment } = details;
  const periodic = details.periodic_limits?.find(({ max_amount }) => max_amount !== undefined);
  if (total !== undefined) return `up to ${formatAmount(total, currency, reader)} in total`;
  if (perPayment !== undefined) return `up to ${formatAmount(perPayment, currency, reader)} each payment`;
  return `up to ${formatAmount(periodic?.max_amount ?? 0, currency, reader)} each ${periodic?.period}`;
};

/**
 * The page as plain text. It is sealed into the form and stored with the decision, word for word (docs/spec/portal.md,
 * Consent).
 */
export const renderConsentText = (
  request: Omit<ConsentRequest, "formToken">,
  { reader, now }: { reader: Reader; now: Date },
): string => {
  const { client, redirectHost, replaces } = request;
  return [
    `${client.name}, ${client.domain ?? redirectHost}, ${client.isVerified ? "verified" : "not verified"}`,
    ...(client.isVerified ? [] : [`${consentTexts.unverified} ${redirectHost}.`]),
    consentTexts.title(request),
    consentTexts.intro(request),
    ...request.mandates.flatMap((mandate, index) => [
      ...(replaces && mandate.current === null ? ["New:"] : []),
      ...renderMandate(mandate, { index, purposeLabel: consentTexts.purpose(request), reader, now }),
    ]),
    ...[consentTexts.rights(request) ?? []].flat(),
    ...(replaces?.ends ?? []).map((terms) => consentTexts.endingMandate(terms, reader)),
    `${consentTexts.budget} · ${consentTexts.budgetNote}`,
    consentTexts.afterDecision(request),
  ].join("\n");
};

const renderMandate = (
  mandate: RequestedMandate,
  { index, purposeLabel, reader, now }: { index: number; purposeLabel: string; reader: Reader; now: Date },
): string[] => {
  const { details } = mandate;
  const end = describeMandateEnd(details, now, reader);
  const withNote = (label: string, note: string) => (note === "" ? label : `${label} (${note})`);
  const amount = (cap: number | null) => (cap === null ? "no limit" : formatAmount(cap, details.currency, reader));
  const withCurrent = (current: string | null) => (current === null ? "" : `, now ${current}`);
  const factLine = ({ text, current }: Fact) => plainText(text) + withCurrent(current ? plainText(current) : null);
  const { payees, others } = groupFacts(mandate, { now, reader });
  return [
    ...(details.purpose ? [`${purposeLabel}: “${details.purpose}”`] : []),
    ...payees.map(factLine),
    ...listAmountLimits(mandate, index, now).map(
      ({ label, note, capMinor, currentMinor }) =>
        `${withNote(label, note)}: ${amount(capMinor)}${withCurrent(currentMinor === undefined ? null : amount(currentMinor))}`,
    ),
    `${withNote("Ends", end.note)}: ${end.text}${withCurrent(describeCurrentEnd(mandate, now, reader))}`,
    ...others.map(factLine),
    consentTexts.inFlight,
  ];
};
