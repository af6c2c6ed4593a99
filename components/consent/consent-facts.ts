import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import { formatDateTime } from "../format/dates.ts";
import { formatAmount, formatPaymentCount } from "../format/money.ts";
import { formatPeriod } from "../format/periods.ts";
import type { Reader } from "../format/reader.ts";
import { formatList } from "../format/text.ts";
import type { IconName } from "../ui/icon.tsx";
import { mandateStart, type Payee, type RequestedMandate, type Terms } from "./consent-limits.ts";

type RichText = (string | { strong: string })[];

export type Fact = {
  /** two facts of one topic are the current and the requested version of the same term */
  topic: string;
  icon: IconName;
  isWarning?: boolean;
  text: RichText;
  /** if a mandate changes: the current version, null if there is none */
  current?: RichText | null;
};

export const plainText = (text: RichText): string =>
  text.map((part) => (typeof part === "string" ? part : part.strong)).join("");

type FactContext = { now: Date; reader: Reader };

/** The terms that are not amount limits. Where a mandate changes: also the current version, and the terms that are removed. */
export const listFacts = (
  mandate: Pick<RequestedMandate, "details" | "payees" | "current">,
  context: FactContext,
): Fact[] => {
  const requested = factsOfTerms(mandate, context);
  if (mandate.current === null) return requested;
  const inForce = factsOfTerms(mandate.current, context);
  const compared = requested.map((fact): Fact => {
    const current = inForce.find(({ topic }) => topic === fact.topic);
    if (current && plainText(current.text) === plainText(fact.text)) return fact;
    return { ...fact, current: current?.text ?? null };
  });
  const removed = inForce
    .filter(({ topic }) => !requested.some((fact) => fact.topic === topic))
    .map((fact): Fact => ({ ...fact, isWarning: true, text: ["Removed: ", { strong: plainText(fact.text) }] }));
  const paused: Fact[] = mandate.current.isPaused
    ? [{ topic: "paused", icon: "clock", text: ["The mandate is paused, and stays paused until you resume it"] }]
    : [];
  return [...compared, ...removed, ...paused];
};

/** Payees come before the limits, everything else after them. */
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

const factsOfTerms = ({ details, payees }: Pick<Terms, "details" | "payees">, context: FactContext): Fact[] => [
  payeesFact(payees),
  ...standingPermissionFact(payees),
  ...startFact(details, context),
  ...paymentCountFacts(details),
  presenceFact(details),
  ...stepUpFact(details, context),
  ...actionsFact(details),
  ...refundFact(details),
];

const payeesFact = (payees: readonly Payee[]): Fact => {
  const names = payees.map((payee) => ("name" in payee ? payee.name : `merchants of category ${payee.category}`));
  if (names.length === 0) {
    return {
      topic: "payees",
      icon: "globe",
      isWarning: true,
      text: ["At ", { strong: "any merchant" }, " registered with Paygrant"],
    };
  }
  const list = names.flatMap((name, place) => [
    ...(place === 0 ? [] : [place === names.length - 1 ? " and " : ", "]),
    { strong: name },
  ]);
  return { topic: "payees", icon: "shop", text: ["Only at ", ...list] };
};

/** A payee named by id has a standing permission (docs/spec/payments.md, Who may use a mandate). */
const standingPermissionFact = (payees: readonly Payee[]): Fact[] => {
  const names = payees.flatMap((payee) => ("name" in payee ? [payee.name] : []));
  if (names.length === 0) return [];
  return [
    {
      topic: "standing_permission",
      icon: "key",
      text: [`Standing permission: ${formatList(names)} can charge you within these limits without asking again`],
    },
  ];
};

const startFact = (details: PaymentMandateDetails, { now, reader }: FactContext): Fact[] => {
  const start = mandateStart(details, now);
  if (start <= now) return [];
  return [{ topic: "start", icon: "calendar", text: ["Starts on ", { strong: formatDateTime(start, reader) }] }];
};

const paymentCountFacts = ({ periodic_limits: periodicLimits, max_payments: total }: PaymentMandateDetails): Fact[] => {
  const byPeriod = (periodicLimits ?? []).flatMap((limit): Fact[] =>
    limit.max_payments === undefined
      ? []
      : [
          {
            topic: `count:${limit.period}:${limit.alignment}`,
            icon: "list",
            text: [`${formatPeriod(limit)}, at most ${formatPaymentCount(limit.max_payments)}`],
          },
        ],
  );
  if (total === undefined) return byPeriod;
  return [...byPeriod, { topic: "count", icon: "list", text: [`At most ${formatPaymentCount(total)} in total`] }];
};

const presenceFact = (details: PaymentMandateDetails): Fact =>
  details.payer_presence?.includes("off_session")
    ? { topic: "presence", icon: "away", text: ["Payments can happen ", { strong: "when you’re not present" }] }
    : { topic: "presence", icon: "person", text: ["Payments can happen only ", { strong: "when you’re present" }] };

const stepUpFact = ({ step_up_above: threshold, currency }: PaymentMandateDetails, { reader }: FactContext): Fact[] =>
  threshold === undefined
    ? []
    : [
        {
          topic: "step_up",
          icon: "shield",
          text: ["You approve each payment above ", { strong: formatAmount(threshold, currency, reader) }],
        },
      ];

const actionsFact = ({ actions }: PaymentMandateDetails): Fact[] =>
  actions.includes("charge")
    ? []
    : [{ topic: "actions", icon: "info", text: ["Merchants can check the mandate, but can’t charge it"] }];

const refundFact = ({ refund_policy: policy }: PaymentMandateDetails): Fact[] =>
  policy === "restore" ? [{ topic: "refunds", icon: "refund", text: ["Refunded amounts can be spent again"] }] : [];
