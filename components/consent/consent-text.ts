import { money, type Reader } from "../mandates/words.ts";
import { amountLines, type ConsentRequest, endWords, facts } from "./consent-lines.ts";

/** What every consent page says beside its own request; the page and the kept text use the same words. */
export const words = {
  title: (clientName: string) => `Let ${clientName} pay for you?`,
  intro: "It can spend your money up to these limits. You can lower them now, and pause or stop at any time.",
  inFlight: "If you stop it, payments already authorised may still complete",
  budget: "Merchants may see what is left",
  budgetNote: "otherwise they only learn whether a payment fits",
  unverified:
    "Paygrant hasn’t verified who this is: anyone can register under this name. Approve only if you started this yourself, at",
  after: (redirectHost: string) => `Either way you return to ${redirectHost}. If you decline, nothing is allowed.`,
};

/** The page's words as plain text: sealed into its form and kept with the decision, word for word (3-portal, Consent). */
export const consentText = (
  request: Omit<ConsentRequest, "formToken">,
  { reader, now }: { reader: Reader; now: Date },
): string => {
  const { client, redirectHost } = request;
  return [
    `${client.name}, ${client.domain ?? redirectHost}, ${client.isVerified ? "verified" : "not verified"}`,
    ...(client.isVerified ? [] : [`${words.unverified} ${redirectHost}.`]),
    words.title(client.name),
    words.intro,
    ...request.mandates.flatMap((mandate, index) =>
      mandateLines(mandate, { index, clientName: client.name, reader, now }),
    ),
    `${words.budget} · ${words.budgetNote}`,
    words.after(redirectHost),
  ].join("\n");
};

const mandateLines = (
  { details, payees }: ConsentRequest["mandates"][number],
  shown: { index: number; clientName: string; reader: Reader; now: Date },
): string[] => {
  const { index, clientName, reader, now } = shown;
  const end = endWords(details, now, reader);
  const withNote = (label: string, note: string) => (note === "" ? label : `${label} (${note})`);
  return [
    ...(details.purpose ? [`In its own words: “${details.purpose}”`] : []),
    ...amountLines(details, index, now).map(
      ({ label, note, capMinor }) =>
        `${withNote(label, note)}: ${capMinor === null ? "no limit" : money(capMinor, details.currency, reader)}`,
    ),
    `${withNote("Ends", end.note)}: ${end.words}`,
    ...facts(details, payees, clientName, now, reader).map(({ text }) =>
      text.map((part) => (typeof part === "string" ? part : part.strong)).join(""),
    ),
    words.inFlight,
  ];
};
