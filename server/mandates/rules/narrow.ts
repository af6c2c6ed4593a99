import { DomainError } from "../../kernel/errors.ts";
import { maxAmountMinor } from "../../kernel/money/money.ts";
import { limitKey } from "./terms.ts";
import { parseInstant } from "./validity.ts";

type PeriodicCaps = {
  period: "day" | "week" | "month" | "quarter" | "year";
  alignment: "calendar" | "consent";
  max_amount?: number | undefined;
  max_payments?: number | undefined;
};

/** Lower caps and an earlier end, in wire names; absent fields don't change. */
export type Narrowing = {
  max_amount_per_payment?: number | undefined;
  max_total_amount?: number | undefined;
  max_payments?: number | undefined;
  /** payments above this amount need the payer's approval, so a lower amount is narrower */
  step_up_above?: number | undefined;
  valid_until?: string | undefined;
  periodic_limits?: readonly PeriodicCaps[] | undefined;
};

type Narrowable = {
  max_amount_per_payment?: number | undefined;
  max_total_amount?: number | undefined;
  max_payments?: number | undefined;
  step_up_above?: number | undefined;
  valid_from?: string | undefined;
  valid_until?: string | undefined;
  periodic_limits?: PeriodicCaps[] | undefined;
};

/**
 * A cap may be lowered below the used amount: its remainder is then 0. Adding a cap is narrowing too.
 * @throws DomainError invalid naming the field that would widen the mandate.
 */
export const narrow = <D extends Narrowable>(details: D, narrowing: Narrowing): D => {
  const result: D = { ...details };
  for (const field of ["max_amount_per_payment", "max_total_amount", "max_payments", "step_up_above"] as const) {
    const cap = lower(details[field], narrowing[field], `/${field}`);
    if (cap !== undefined) result[field] = cap;
  }
  const until = earlier(details, narrowing.valid_until);
  if (until !== undefined) result.valid_until = until;
  if (narrowing.periodic_limits !== undefined) {
    result.periodic_limits = narrowLimits(details.periodic_limits ?? [], narrowing.periodic_limits);
  }
  return result;
};

const lower = (current: number | undefined, requested: number | undefined, pointer: string): number | undefined => {
  if (requested === undefined) return current;
  if (!Number.isSafeInteger(requested) || requested < 1 || requested > maxAmountMinor) {
    throw wideningRefusal(pointer, `must be a whole number from 1 to ${maxAmountMinor}`);
  }
  if (current !== undefined && requested > current) throw wideningRefusal(pointer, "is above the existing limit");
  return requested;
};

const earlier = (details: Narrowable, requested: string | undefined): string | undefined => {
  if (requested === undefined) return details.valid_until;
  const instant = parseInstant(requested);
  const current = details.valid_until === undefined ? null : parseInstant(details.valid_until);
  const from = details.valid_from === undefined ? null : parseInstant(details.valid_from);
  if (!instant) throw wideningRefusal("/valid_until", "must be a date and time");
  if (current && instant > current) throw wideningRefusal("/valid_until", "is later than the existing end");
  if (from && instant <= from) throw wideningRefusal("/valid_until", "is not after the mandate's start");
  return requested;
};

const narrowLimits = (current: readonly PeriodicCaps[], requested: readonly PeriodicCaps[]): PeriodicCaps[] => {
  const limits = new Map(current.map((limit) => [limitKey(limit), { ...limit }]));
  for (const [index, wish] of requested.entries()) {
    const limit: PeriodicCaps = limits.get(limitKey(wish)) ?? { period: wish.period, alignment: wish.alignment };
    const amount = lower(limit.max_amount, wish.max_amount, `/periodic_limits/${index}/max_amount`);
    const payments = lower(limit.max_payments, wish.max_payments, `/periodic_limits/${index}/max_payments`);
    if (amount !== undefined) limit.max_amount = amount;
    if (payments !== undefined) limit.max_payments = payments;
    if (amount === undefined && payments === undefined)
      throw wideningRefusal(`/periodic_limits/${index}`, "needs at least one limit");
    limits.set(limitKey(limit), limit);
  }
  if (limits.size > 5) throw wideningRefusal("/periodic_limits", "must have at most 5 limits");
  return [...limits.values()];
};

const wideningRefusal = (pointer: string, detail: string): DomainError =>
  new DomainError("invalid", {
    code: "not_narrower",
    message: "A mandate can only be narrowed.",
    errors: [{ pointer, detail }],
  });
