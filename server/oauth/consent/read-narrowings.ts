import { DomainError } from "../../kernel/errors.ts";
import { translator } from "../../kernel/messages/translator.ts";
import { parseTypedAmount, typedAmountProblem } from "../../kernel/money/typed-amount.ts";
import { startOfDay } from "../../kernel/time/calendar.ts";
import type { Narrowing } from "../../mandates/details/narrow-details.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";

type Form = Readonly<Record<string, string | readonly string[]>>;
/** `timeZone` is the payer's: a date that the payer enters is a day there. */
type Source = { form: Form; locale: string; timeZone: string };

/**
 * The lower limits that the payer entered: `m0_max_total_amount`, `m0_p1_max_amount` … are amounts in the mandate's
 * currency, in the format of the payer's locale; `m0_valid_until` is a date. An empty field changes nothing.
 * @throws DomainError invalid with a pointer such as `/mandates/0/max_total_amount`.
 */
export const readNarrowings = (details: readonly PaymentMandateDetails[], source: Source): Narrowing[] =>
  details.map((item, index) => readNarrowing(item, index, source));

const readNarrowing = (
  details: PaymentMandateDetails,
  index: number,
  { form, locale, timeZone }: Source,
): Narrowing => {
  const amount = (field: string, pointer: string): number | undefined => {
    const text = form[`m${index}_${field}`];
    if (typeof text !== "string") return undefined;
    const typed = parseTypedAmount(text, details.currency, locale);
    if (typed.kind === "empty") return undefined;
    if (typed.kind === "amount") return Number(typed.amountMinor);
    return refuseField(
      index,
      pointer,
      typedAmountProblem(typed, { currency: details.currency, locale }, translator(locale, "amounts")),
    );
  };
  const periodic = (details.periodic_limits ?? []).flatMap((limit, position) => {
    const maxAmount = amount(`p${position}_max_amount`, `periodic_limits/${position}/max_amount`);
    return maxAmount === undefined || limit.max_amount === undefined
      ? []
      : [{ period: limit.period, alignment: limit.alignment, max_amount: maxAmount }];
  });
  const perPayment = amount("max_amount_per_payment", "max_amount_per_payment");
  const total = amount("max_total_amount", "max_total_amount");
  const until = readDate(form[`m${index}_valid_until`], index, timeZone);
  return {
    ...(perPayment === undefined ? {} : { max_amount_per_payment: perPayment }),
    ...(total === undefined ? {} : { max_total_amount: total }),
    ...(periodic.length > 0 ? { periodic_limits: periodic } : {}),
    ...(until === undefined ? {} : { valid_until: until }),
  };
};

/** A date means the first instant of that day in the payer's time zone. The mandate ends when the day begins. */
const readDate = (
  text: string | readonly string[] | undefined,
  index: number,
  timeZone: string,
): string | undefined => {
  if (typeof text !== "string") return undefined;
  const begin = startOfDay(text, timeZone);
  if (begin !== null) return begin.toISOString();
  if (!Number.isNaN(Date.parse(text)) && /T/.test(text)) return text;
  return refuseField(index, "valid_until", "must be a date");
};

const refuseField = (index: number, field: string, detail: string): never => {
  throw new DomainError("invalid", {
    code: "malformed_limit",
    message: "A limit is malformed. Correct the field in errors.",
    errors: [{ pointer: `/mandates/${index}/${field}`, detail }],
  });
};
