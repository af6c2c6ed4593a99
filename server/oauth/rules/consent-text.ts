import { formatMoney } from "../../kernel/money.ts";

type Limits = {
  currency: string;
  max_amount_per_payment?: number | undefined;
  max_total_amount?: number | undefined;
  max_payments?: number | undefined;
  periodic_limits?:
    | readonly {
        period: string;
        alignment: string;
        max_amount?: number | undefined;
        max_payments?: number | undefined;
      }[]
    | undefined;
  time_zone?: string | undefined;
  valid_from?: string | undefined;
  valid_until?: string | undefined;
  step_up_above?: number | undefined;
  payer_presence?: readonly string[] | undefined;
  refund_policy?: string | undefined;
  purpose?: string | undefined;
};

export type ConsentTextInput = {
  clientName: string;
  environment: string;
  locale: string;
  budgetVisible: boolean;
  mandates: readonly {
    details: Limits;
    payees: readonly ({ id: string; name: string } | { category: string })[];
    paymentMethod: string;
  }[];
};

/** What the payer agrees to, in words: kept with the consent, so that it can be shown and proved later (3-portal, Consent). */
export const consentText = (input: ConsentTextInput): string =>
  [
    `${input.clientName} may spend for you${input.environment === "sandbox" ? " in the sandbox: no real money moves" : ""}.`,
    ...input.mandates.flatMap((mandate) => mandateLines(mandate, input.locale)),
    input.budgetVisible ? "Merchants may see what is left." : "Merchants don't see what is left.",
    "You can pause or stop it at any time. If you stop it, payments already authorised may still complete.",
  ].join("\n");

const mandateLines = (
  { details, payees, paymentMethod }: ConsentTextInput["mandates"][number],
  locale: string,
): string[] => {
  const money = (amount: number) => formatMoney({ amountMinor: BigInt(amount), currency: details.currency }, locale);
  const zone = details.time_zone ?? "UTC";
  const lines = [
    details.purpose && `Purpose: ${details.purpose}`,
    details.max_amount_per_payment && `Each payment at most ${money(details.max_amount_per_payment)}.`,
    ...(details.periodic_limits ?? []).map((limit) => periodLine(limit, money, zone)),
    details.max_total_amount && `In total at most ${money(details.max_total_amount)}.`,
    details.max_payments && `At most ${details.max_payments} payments.`,
    payeeLine(payees),
    `From ${details.valid_from ?? "now"} until ${details.valid_until ?? "one year from then"}.`,
    details.step_up_above && `Above ${money(details.step_up_above)} you approve the single payment.`,
    details.payer_presence?.includes("off_session")
      ? "It may pay while you are away."
      : "It pays only while you are there.",
    details.refund_policy === "restore" && "Refunds can be spent again.",
    `Pays with ${paymentMethod}.`,
  ];
  return lines.filter((line): line is string => typeof line === "string" && line !== "");
};

const periodLine = (
  limit: NonNullable<Limits["periodic_limits"]>[number],
  money: (amount: number) => string,
  zone: string,
): string => {
  const caps = [
    limit.max_amount && `at most ${money(limit.max_amount)}`,
    limit.max_payments && `at most ${limit.max_payments} payments`,
  ].filter(Boolean);
  const start = limit.alignment === "calendar" ? "calendar" : "counted from the start,";
  return `Each ${start} ${limit.period} ${caps.join(" and ")}, by ${zone} time.`;
};

const payeeLine = (payees: ConsentTextInput["mandates"][number]["payees"]): string => {
  if (payees.length === 0) return "At any merchant registered with Paygrant.";
  const named = payees.map((payee) => ("name" in payee ? payee.name : `merchants of category ${payee.category}`));
  return `Only at ${named.join(", ")}.`;
};
