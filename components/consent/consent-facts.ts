import type { ReactNode } from "react";
import { type Translator, translator } from "#server/kernel/messages/translator.ts";
import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import type { Brand } from "#server/merchants/brand.ts";
import { formatDateTime } from "../format/dates.ts";
import type { Reader } from "../format/reader.ts";
import type { IconName } from "../ui/icon.tsx";
import { mandateStart } from "./consent-end.ts";
import type { Payee, RequestedMandate, Terms } from "./consent-request.ts";

/** `brand` is the brand of the payee with this name. */
type RichText = (string | { strong: string; brand?: Brand | null })[];

export type Fact = {
  /** facts with the same topic are the current and the requested version of one term */
  topic: string;
  icon: IconName;
  isWarning?: boolean;
  text: RichText;
  /** only if the request changes or adds the term: its current version, or null if it is new */
  current?: RichText | null;
};

export const plainText = (text: RichText): string =>
  text.map((part) => (typeof part === "string" ? part : part.strong)).join("");

type FactContext = { now: Date; reader: Reader };
/** `isRunning`: the request changes an existing mandate. A new mandate starts when the payer approves, or later. */
type TermsContext = FactContext & { isRunning: boolean };
type ConsentTexts = Translator<"consent">;

/** The parts of a text between `<b>` tags are strong. */
const richText = (formatted: unknown): RichText => (Array.isArray(formatted) ? formatted : [String(formatted)]);
const b = (chunks: unknown) => ({ strong: String(chunks) }) as unknown as ReactNode;

/**
 * The terms that are not limits. If the request changes a mandate, each changed term has its current version, and the
 * list includes the terms that the request removes.
 */
export const listFacts = (
  mandate: Pick<RequestedMandate, "details" | "payees" | "current">,
  context: FactContext,
): Fact[] => {
  const t = translator(context.reader.locale, "consent");
  const isRunning = mandate.current !== null;
  const requested = factsOfTerms(mandate, { ...context, isRunning });
  if (mandate.current === null) return requested;
  const inForce = factsOfTerms(mandate.current, { ...context, isRunning });
  const compared = requested.map((fact): Fact => {
    const current = inForce.find(({ topic }) => topic === fact.topic);
    if (current && plainText(current.text) === plainText(fact.text)) return fact;
    return { ...fact, current: current?.text ?? null };
  });
  const removed = inForce
    .filter(({ topic }) => !requested.some((fact) => fact.topic === topic))
    .map(
      (fact): Fact => ({
        ...fact,
        isWarning: true,
        text: richText(t.rich("removed", { text: plainText(fact.text), b })),
      }),
    );
  const paused: Fact[] = mandate.current.isPaused ? [{ topic: "paused", icon: "clock", text: [t("paused")] }] : [];
  return [...compared, ...removed, ...paused];
};

/** The page shows payees above the limits, and all other terms below the limits. */
export const groupFacts = (
  mandate: Parameters<typeof listFacts>[0],
  context: FactContext,
): { payees: Fact[]; others: Fact[] } => {
  const all = listFacts(mandate, context);
  return {
    payees: all.filter(({ topic }) => topic === "payees"),
    others: all.filter(({ topic }) => topic !== "payees"),
  };
};

const factsOfTerms = ({ details, payees }: Pick<Terms, "details" | "payees">, context: TermsContext): Fact[] => {
  const t = translator(context.reader.locale, "consent");
  return [
    payeesFact(payees, context.reader, t),
    ...(details.actions.includes("charge") ? standingPermissionFact(payees, context.reader, t) : []),
    startFact(details, context, t),
    presenceFact(details, t),
    ...actionsFact(details, t),
    ...refundFact(details, t),
    { topic: "in_flight", icon: "clock", text: [t("inFlight")] },
    { topic: "contract", icon: "info", text: [t("contract")] },
  ];
};

const payeesFact = (payees: readonly Payee[], { locale }: Reader, t: ConsentTexts): Fact => {
  const names = payees.map((payee) => ("name" in payee ? payee.name : t("category", { category: payee.category })));
  if (names.length === 0) {
    return { topic: "payees", icon: "globe", isWarning: true, text: richText(t.rich("anyMerchant", { b })) };
  }
  const [before = "", after = ""] = t("onlyAt", { list: "\n" }).split("\n");
  const list = listFormat(locale).formatToParts(names);
  const brands = payees.map((payee) => ("name" in payee ? (payee.brand ?? null) : null)).values();
  const parts = list.map(({ type, value }) =>
    type === "element" ? { strong: value, brand: brands.next().value ?? null } : value,
  );
  return { topic: "payees", icon: "shop", text: [before, ...parts, ...(after === "" ? [] : [after])] };
};

const listFormat = (locale: string) => new Intl.ListFormat(locale, { type: "conjunction" });

/** A payee named by id has a standing permission (docs/spec/payments.md, Who may use a mandate). */
const standingPermissionFact = (payees: readonly Payee[], { locale }: Reader, t: ConsentTexts): Fact[] => {
  const names = payees.flatMap((payee) => ("name" in payee ? [payee.name] : []));
  if (names.length === 0) return [];
  const text = t("standing", { names: listFormat(locale).format(names) });
  return [{ topic: "standing_permission", icon: "key", text: [text] }];
};

const startFact = (details: PaymentMandateDetails, { now, reader, isRunning }: TermsContext, t: ConsentTexts): Fact => {
  const startOf = (text: unknown): Fact => ({ topic: "start", icon: "calendar", text: richText(text) });
  const start = mandateStart(details, now);
  if (start > now) return startOf(t.rich("startsOn", { date: formatDateTime(start, reader), b }));
  if (!isRunning || details.valid_from === undefined) return startOf(t.rich("startsNow", { b }));
  return startOf(t.rich("startedOn", { date: formatDateTime(new Date(details.valid_from), reader), b }));
};

const presenceFact = (details: PaymentMandateDetails, t: ConsentTexts): Fact =>
  details.payer_presence?.includes("off_session")
    ? { topic: "presence", icon: "away", text: richText(t.rich("notPresent", { b })) }
    : { topic: "presence", icon: "person", text: richText(t.rich("present", { b })) };

const actionsFact = ({ actions }: PaymentMandateDetails, t: ConsentTexts): Fact[] =>
  actions.includes("charge") ? [] : [{ topic: "actions", icon: "info", text: [t("checkOnly")] }];

const refundFact = ({ refund_policy: policy }: PaymentMandateDetails, t: ConsentTexts): Fact[] =>
  policy === "restore" ? [{ topic: "refunds", icon: "refund", text: [t("refunds")] }] : [];
