import { DomainError } from "../../kernel/errors.ts";
import { translator } from "../../kernel/messages/translator.ts";
import { parseTypedAmount, parseTypedCount, typedAmountProblem } from "../../kernel/money/typed-amount.ts";
import { startOfDay } from "../../kernel/time/calendar.ts";
import type { Narrowing } from "../../mandates/details/narrow-details.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";

type Form = Readonly<Record<string, string | readonly string[]>>;
/** `timeZone`: the payer's time zone, in which the entered dates are read. */
type Source = { form: Form; locale: string; timeZone: string };

/**
 * The lower limits that the payer entered. `m0_max_total_amount`, `m0_step_up_above`, `m0_p1_max_amount` … are amounts
 * in the mandate's currency. `m0_max_payments`, `m0_p1_max_payments` … are counts. Amounts and counts are in the format
 * of the payer's locale. `m0_valid_until` is a date. An empty field changes nothing.
 * @throws DomainError invalid with a pointer such as `/mandates/0/max_total_amount`.
 */
export const readNarrowings = (details: readonly PaymentMandateDetails[], source: Source): Narrowing[] =>
  details.map((item, index) => readNarrowing(item, index, source));

const readNarrowing = (details: PaymentMandateDetails, index: number, source: Source): Narrowing => {
  const { currency } = details;
  const amount = (field: string, pointer = field) => readAmount({ index, field, pointer, currency }, source);
  const count = (field: string, pointer = field) => readCount({ index, field, pointer }, source);
  const periodic = (details.periodic_limits ?? []).flatMap(({ period, alignment, ...requested }, place) => {
    const at = `periodic_limits/${place}`;
    const caps = {
      max_amount: requested.max_amount === undefined ? undefined : amount(`p${place}_max_amount`, `${at}/max_amount`),
      max_payments:
        requested.max_payments === undefined ? undefined : count(`p${place}_max_payments`, `${at}/max_payments`),
    };
    return caps.max_amount === undefined && caps.max_payments === undefined ? [] : [{ period, alignment, ...caps }];
  });
  return {
    max_amount_per_payment: amount("max_amount_per_payment"),
    max_total_amount: amount("max_total_amount"),
    max_payments: count("max_payments"),
    step_up_above: amount("step_up_above"),
    periodic_limits: periodic.length > 0 ? periodic : undefined,
    valid_until: readDate(source.form[`m${index}_valid_until`], index, source.timeZone),
  };
};

/** `index`: of the mandate. `pointer`: the error's name for the field within the mandate. */
type Place = { index: number; field: string; pointer: string };

const readAmount = (
  { index, field, pointer, currency }: Place & { currency: string },
  { form, locale }: Source,
): number | undefined => {
  const text = form[`m${index}_${field}`];
  if (typeof text !== "string") return undefined;
  const typed = parseTypedAmount(text, currency, locale);
  if (typed.kind === "empty") return undefined;
  if (typed.kind === "amount") return Number(typed.amountMinor);
  return refuseField(index, pointer, typedAmountProblem(typed, { currency, locale }, translator(locale, "amounts")));
};

const readCount = ({ index, field, pointer }: Place, { form, locale }: Source): number | undefined => {
  const text = form[`m${index}_${field}`];
  if (typeof text !== "string" || text.trim() === "") return undefined;
  const typed = parseTypedCount(text, locale);
  if (typed !== null && typed > 0n) return Number(typed);
  return refuseField(index, pointer, "must be a whole number above zero");
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
