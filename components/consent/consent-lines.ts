import type { PaymentMandateDetails } from "#server/mandates/payment-mandate.wire.ts";
import {
  date,
  dateTime,
  lastFullDay,
  money,
  payments,
  periodName,
  type Reader,
  resetWords,
  untilWords,
  zoneName,
} from "../mandates/words.ts";
import type { IconName } from "../ui/icon.tsx";

export type Payee = { id: string; name: string } | { category: string };

/** Who asks for what: the consent page's whole matter. */
export type ConsentRequest = {
  handle: string;
  formToken: string;
  client: { name: string; isVerified: boolean; domain: string | null };
  redirectHost: string;
  mandates: readonly { mandateId: string; details: PaymentMandateDetails; payees: readonly Payee[] }[];
};

/** A limit that the payer can lower: `field` is the form's name for it, `capMinor` null where none was asked for. */
export type AmountLine = { field: string; label: string; note: string; capMinor: number | null };

/** When the mandate begins if it is approved now; consent periods count from there. */
export const beginsAt = (details: Pick<PaymentMandateDetails, "valid_from">, now: Date): Date =>
  new Date(Math.max(now.getTime(), details.valid_from ? Date.parse(details.valid_from) : 0));

/** Its end: the one asked for, else one calendar year from the beginning, where 29 February becomes the 28th. */
export const endsAt = (details: Pick<PaymentMandateDetails, "valid_from" | "valid_until">, now: Date): Date => {
  if (details.valid_until) return new Date(details.valid_until);
  const begin = beginsAt(details, now);
  const end = new Date(begin);
  end.setUTCFullYear(begin.getUTCFullYear() + 1);
  if (end.getUTCDate() !== begin.getUTCDate()) end.setUTCDate(0);
  return end;
};

/** Per payment, per period, in total: every amount limit, with the caps that could be set where none is. */
export const amountLines = (details: PaymentMandateDetails, index: number, now: Date): AmountLine[] => {
  const zone = details.time_zone ?? "UTC";
  const periods = (details.periodic_limits ?? []).flatMap((limit, place): AmountLine[] => {
    const note = resetWords(limit, zone, beginsAt(details, now));
    if (limit.max_amount === undefined) return [];
    return [{ field: `m${index}_p${place}_max_amount`, label: periodName(limit), note, capMinor: limit.max_amount }];
  });
  return [
    {
      field: `m${index}_max_amount_per_payment`,
      label: "Each payment, at most",
      note: "",
      capMinor: details.max_amount_per_payment ?? null,
    },
    ...periods,
    {
      field: `m${index}_max_total_amount`,
      label: "In total",
      note: "over the whole time",
      capMinor: details.max_total_amount ?? null,
    },
  ];
};

/** Limits on how many payments, said as sentences. */
const countLines = (details: PaymentMandateDetails): string[] => [
  ...(details.periodic_limits ?? []).flatMap((limit) =>
    limit.max_payments === undefined ? [] : [`${periodName(limit)}, at most ${payments(limit.max_payments)}`],
  ),
  ...(details.max_payments === undefined ? [] : [`At most ${payments(details.max_payments)} in total`]),
];

export type Fact = { icon: IconName; isWarning?: boolean; text: (string | { strong: string })[] };

/** What the figures don't say: where, when it asks, whether with nobody there, what follows a stop. */
export const facts = (
  details: PaymentMandateDetails,
  payees: readonly Payee[],
  clientName: string,
  now: Date,
  reader: Reader,
): Fact[] => [
  placeFact(payees),
  ...standingFact(payees),
  ...startFact(details, now, reader),
  ...countLines(details).map((line): Fact => ({ icon: "list", text: [line] })),
  presenceFact(details, clientName),
  ...(details.step_up_above === undefined
    ? []
    : [
        {
          icon: "shield" as const,
          text: [
            "Above ",
            { strong: money(details.step_up_above, details.currency, reader) },
            " you approve the single payment",
          ],
        },
      ]),
  ...(details.actions.includes("charge")
    ? []
    : [{ icon: "info" as const, text: ["It may only be checked: no merchant can charge it"] }]),
  ...(details.refund_policy === "restore"
    ? [{ icon: "refund" as const, text: ["Money that a merchant refunds can be spent again"] }]
    : []),
];

const placeFact = (payees: readonly Payee[]): Fact => {
  const names = payees.map((payee) => ("name" in payee ? payee.name : `merchants of category ${payee.category}`));
  if (names.length === 0)
    return { icon: "globe", isWarning: true, text: ["At ", { strong: "any merchant" }, " registered with Paygrant"] };
  const words = names.flatMap((name, place) => [
    ...(place === 0 ? [] : [place === names.length - 1 ? " and " : ", "]),
    { strong: name },
  ]);
  return { icon: "shop", text: ["Only at ", ...words] };
};

const standingFact = (payees: readonly Payee[]): Fact[] => {
  const named = payees.filter((payee) => "name" in payee).length;
  if (named === 0) return [];
  const who =
    payees.length > named ? "Merchants named here have" : named === 1 ? "This merchant has" : "These merchants have";
  return [
    {
      icon: "key",
      text: [`${who} a standing permission: within the limits they can charge without a new proof each time`],
    },
  ];
};

const startFact = (details: PaymentMandateDetails, now: Date, reader: Reader): Fact[] => {
  const start = beginsAt(details, now);
  if (start <= now) return [];
  return [{ icon: "calendar", text: ["Begins on ", { strong: dateTime(start, reader) }] }];
};

const presenceFact = (details: PaymentMandateDetails, clientName: string): Fact =>
  details.payer_presence?.includes("off_session")
    ? {
        icon: "away",
        text: [`${clientName} may charge `, { strong: "while you are away" }, ", without asking you each time"],
      }
    : { icon: "person", text: [`${clientName} may charge only `, { strong: "while you are using it" }] };

/** The last day, or the very minute; ends are half-open, so one at midnight is over when the day before is. */
export const endWords = (
  details: PaymentMandateDetails,
  now: Date,
  reader: Reader,
): { words: string; note: string } => {
  const zone = { ...reader, timeZone: details.time_zone ?? "UTC" };
  const end = endsAt(details, now);
  if (!details.valid_until) return { words: date(end, zone), note: "one year from its start" };
  const lastDay = lastFullDay(end, zone);
  if (lastDay) return { words: date(lastDay, zone), note: `to the end of that day, ${zoneName(zone.timeZone)}` };
  return { words: untilWords(end, zone), note: zoneName(zone.timeZone) };
};
