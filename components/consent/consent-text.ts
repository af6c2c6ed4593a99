import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import { type Fact, factsByPlace, plainWords } from "./consent-facts.ts";
import {
  type AskedMandate,
  amountLines,
  type ConsentRequest,
  endBefore,
  endWords,
  type Terms,
} from "./consent-lines.ts";

/** What every consent page says beside its own request; the page and the kept text use the same words. */
export const words = {
  title: ({ client, replaces }: Pick<ConsentRequest, "client" | "replaces">) =>
    replaces ? `Change what ${client.name} may spend?` : `Let ${client.name} pay for you?`,
  intro: ({ replaces }: Pick<ConsentRequest, "replaces">) =>
    replaces
      ? "It asks to change the limits that you gave it. Each line shows the limit as it is now, then the new one. Until you approve, nothing changes. What was spent so far stays counted."
      : "It can spend your money up to these limits. You can lower them now, and pause or stop at any time.",
  inFlight: "If you stop it, payments already authorised may still complete",
  rights: ({ client, rights }: Pick<ConsentRequest, "client" | "rights">) =>
    rights.length === 0 ? null : `${client.name} may also ${rights.join(" and ")}`,
  budget: "Merchants may see what is left",
  budgetNote: "otherwise they only learn whether a payment fits",
  unverified:
    "Paygrant hasn’t verified who this is: anyone can register under this name. Approve only if you started this yourself, at",
  after: ({ redirectHost, replaces }: Pick<ConsentRequest, "redirectHost" | "replaces">) =>
    `Either way you return to ${redirectHost}. If you decline, ${replaces ? "everything stays as it is" : "nothing is allowed"}.`,
  ends: ({ details }: Terms, reader: Reader) =>
    `Approving ends what it leaves out: ${details.purpose ? `“${details.purpose}”` : "a mandate without a purpose"}, ${mainLimit(details, reader)}.`,
};

const mainLimit = (details: Terms["details"], reader: Reader): string => {
  const { currency, max_total_amount: total, max_amount_per_payment: single } = details;
  const periodic = details.periodic_limits?.find(({ max_amount }) => max_amount !== undefined);
  if (total !== undefined) return `up to ${formatAmount(total, currency, reader)} in total`;
  if (single !== undefined) return `up to ${formatAmount(single, currency, reader)} each payment`;
  return `up to ${formatAmount(periodic?.max_amount ?? 0, currency, reader)} each ${periodic?.period}`;
};

/**
 * The page's words as plain text: sealed into its form and kept with the decision, word for word (docs/spec/portal.md,
 * Consent).
 */
export const consentText = (
  request: Omit<ConsentRequest, "formToken">,
  { reader, now }: { reader: Reader; now: Date },
): string => {
  const { client, redirectHost, replaces } = request;
  return [
    `${client.name}, ${client.domain ?? redirectHost}, ${client.isVerified ? "verified" : "not verified"}`,
    ...(client.isVerified ? [] : [`${words.unverified} ${redirectHost}.`]),
    words.title(request),
    words.intro(request),
    ...request.mandates.flatMap((mandate, index) => [
      ...(replaces && mandate.current === null ? ["New:"] : []),
      ...mandateLines(mandate, { index, clientName: client.name, reader, now }),
    ]),
    ...[words.rights(request) ?? []].flat(),
    ...(replaces?.ends ?? []).map((terms) => words.ends(terms, reader)),
    `${words.budget} · ${words.budgetNote}`,
    words.after(request),
  ].join("\n");
};

const mandateLines = (
  mandate: AskedMandate,
  shown: { index: number; clientName: string; reader: Reader; now: Date },
): string[] => {
  const { index, reader, now } = shown;
  const { details } = mandate;
  const end = endWords(details, now, reader);
  const withNote = (label: string, note: string) => (note === "" ? label : `${label} (${note})`);
  const amount = (cap: number | null) => (cap === null ? "no limit" : formatAmount(cap, details.currency, reader));
  const nowAs = (before: string | null) => (before === null ? "" : `, now ${before}`);
  const factLine = ({ text, before }: Fact) => plainWords(text) + nowAs(before ? plainWords(before) : null);
  const { place, others } = factsByPlace(mandate, shown);
  return [
    ...(details.purpose ? [`In its own words: “${details.purpose}”`] : []),
    ...place.map(factLine),
    ...amountLines(mandate, index, now).map(
      ({ label, note, capMinor, beforeMinor }) =>
        `${withNote(label, note)}: ${amount(capMinor)}${nowAs(beforeMinor === undefined ? null : amount(beforeMinor))}`,
    ),
    `${withNote("Ends", end.note)}: ${end.text}${nowAs(endBefore(mandate, now, reader))}`,
    ...others.map(factLine),
    words.inFlight,
  ];
};
