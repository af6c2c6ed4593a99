import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import { formatDateTime } from "../format/dates.ts";
import { formatAmount, formatPaymentCount } from "../format/money.ts";
import { formatPeriod } from "../format/periods.ts";
import type { Reader } from "../format/reader.ts";
import type { IconName } from "../ui/icon.tsx";
import { type AskedMandate, beginsAt, type Payee, type Terms } from "./consent-lines.ts";

type Words = (string | { strong: string })[];

export type Fact = {
  /** what it is about: facts of the same topic say how a changed mandate differs */
  topic: string;
  icon: IconName;
  isWarning?: boolean;
  text: Words;
  /** in a changed mandate: what is so now; null where nothing was said of it */
  before?: Words | null;
};

export const plainWords = (words: Words): string =>
  words.map((part) => (typeof part === "string" ? part : part.strong)).join("");

type Shown = { clientName: string; now: Date; reader: Reader };

/** What the figures don't say, and in a changed mandate what was otherwise: changed facts with what is so now, and those that fall away. */
export const factsOf = (mandate: Pick<AskedMandate, "details" | "payees" | "current">, shown: Shown): Fact[] => {
  const asked = facts(mandate, shown);
  if (mandate.current === null) return asked;
  const standing = facts(mandate.current, shown);
  const told = asked.map((fact): Fact => {
    const before = standing.find(({ topic }) => topic === fact.topic);
    if (before && plainWords(before.text) === plainWords(fact.text)) return fact;
    return { ...fact, before: before?.text ?? null };
  });
  const gone = standing
    .filter(({ topic }) => !asked.some((fact) => fact.topic === topic))
    .map((fact): Fact => ({ ...fact, isWarning: true, text: ["No longer: ", { strong: plainWords(fact.text) }] }));
  const paused: Fact[] = mandate.current.isPaused
    ? [{ topic: "paused", icon: "clock", text: ["It is paused, and stays so until you resume it"] }]
    : [];
  return [...told, ...gone, ...paused];
};

/** Who can be paid comes before the limits, everything else after them. */
export const factsByPlace = (
  mandate: Parameters<typeof factsOf>[0],
  shown: Shown,
): { place: Fact[]; others: Fact[] } => {
  const all = factsOf(mandate, shown);
  return {
    place: all.filter(({ topic }) => topic === "place"),
    others: all.filter(({ topic }) => topic !== "place"),
  };
};

/** Where, when it asks, whether with nobody there, how often. */
const facts = ({ details, payees }: Pick<Terms, "details" | "payees">, { clientName, now, reader }: Shown): Fact[] => [
  placeFact(payees),
  ...standingFact(payees),
  ...startFact(details, now, reader),
  ...countFacts(details),
  presenceFact(details, clientName),
  ...(details.step_up_above === undefined
    ? []
    : [
        {
          topic: "step_up",
          icon: "shield" as const,
          text: [
            "Above ",
            { strong: formatAmount(details.step_up_above, details.currency, reader) },
            " you approve the single payment",
          ],
        },
      ]),
  ...(details.actions.includes("charge")
    ? []
    : [
        {
          topic: "actions",
          icon: "info" as const,
          text: ["It may only be checked: no merchant can charge it"],
        },
      ]),
  ...(details.refund_policy === "restore"
    ? [{ topic: "refunds", icon: "refund" as const, text: ["Money that a merchant refunds can be spent again"] }]
    : []),
];

/** Limits on how many payments, said as sentences. */
const countFacts = (details: PaymentMandateDetails): Fact[] => [
  ...(details.periodic_limits ?? []).flatMap((limit): Fact[] =>
    limit.max_payments === undefined
      ? []
      : [
          {
            topic: `count:${limit.period}:${limit.alignment}`,
            icon: "list",
            text: [`${formatPeriod(limit)}, at most ${formatPaymentCount(limit.max_payments)}`],
          },
        ],
  ),
  ...(details.max_payments === undefined
    ? []
    : [
        {
          topic: "count",
          icon: "list" as const,
          text: [`At most ${formatPaymentCount(details.max_payments)} in total`],
        },
      ]),
];

const placeFact = (payees: readonly Payee[]): Fact => {
  const names = payees.map((payee) => ("name" in payee ? payee.name : `merchants of category ${payee.category}`));
  if (names.length === 0)
    return {
      topic: "place",
      icon: "globe",
      isWarning: true,
      text: ["At ", { strong: "any merchant" }, " registered with Paygrant"],
    };
  const words = names.flatMap((name, place) => [
    ...(place === 0 ? [] : [place === names.length - 1 ? " and " : ", "]),
    { strong: name },
  ]);
  return { topic: "place", icon: "shop", text: ["Only at ", ...words] };
};

const standingFact = (payees: readonly Payee[]): Fact[] => {
  const named = payees.filter((payee) => "name" in payee).length;
  if (named === 0) return [];
  const who =
    payees.length > named ? "Merchants named here have" : named === 1 ? "This merchant has" : "These merchants have";
  return [
    {
      topic: "standing",
      icon: "key",
      text: [`${who} a standing permission: within the limits they can charge without a new proof each time`],
    },
  ];
};

const startFact = (details: PaymentMandateDetails, now: Date, reader: Reader): Fact[] => {
  const start = beginsAt(details, now);
  if (start <= now) return [];
  return [{ topic: "start", icon: "calendar", text: ["Begins on ", { strong: formatDateTime(start, reader) }] }];
};

const presenceFact = (details: PaymentMandateDetails, clientName: string): Fact =>
  details.payer_presence?.includes("off_session")
    ? {
        topic: "presence",
        icon: "away",
        text: [`${clientName} may charge `, { strong: "while you are away" }, ", without asking you each time"],
      }
    : {
        topic: "presence",
        icon: "person",
        text: [`${clientName} may charge only `, { strong: "while you are using it" }],
      };
