import { DomainError, fieldRefusal } from "../../kernel/errors.ts";
import { chargesMeter } from "../rules/plans/meters.ts";
import type { CurrencyTerms, MeterUsage, Usage } from "../rules/plans/terms.ts";
import type { EstimateRequest } from "./estimate.wire.ts";

type GivenUsage = EstimateRequest["usage"][string];

/** Maximum of each quantity, count and amount. */
const maxNumber = 999_999_999_999;
/** Maximum number of items in all lists together. */
const maxAmounts = 1_000;

export const refuseTooLarge = (message: string): never => {
  throw new DomainError("unprocessable", { code: "estimate_too_large", message });
};

/**
 * Converts the usage of an estimate to the form that `computeInvoice` needs.
 * @throws DomainError invalid_request, naming the meter; estimate_too_large.
 */
export const toEstimateUsage = (given: EstimateRequest["usage"], { prices }: CurrencyTerms): Usage => {
  refuseTooManyAmounts(given);
  return new Map(
    Object.entries(given).map(([meter, value]) => {
      const needsAmounts = prices.get(meter)?.model.endsWith("basis_points") ?? false;
      return [meter, toMeterUsage(meter, value, needsAmounts)];
    }),
  );
};

const refuseTooManyAmounts = (given: EstimateRequest["usage"]): void => {
  const count = Object.values(given).reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0);
  if (count > maxAmounts) refuseTooLarge(`An estimate may have at most ${maxAmounts} charge amounts in total.`);
};

const toMeterUsage = (meter: string, value: GivenUsage, needsAmounts: boolean): MeterUsage => {
  if (typeof value === "number") {
    if (needsAmounts && value > 0) {
      throw fieldRefusal(
        pointerTo(meter),
        "must be a list of charges with amount and count: the price depends on the amounts",
      );
    }
    return { quantity: toUnits(value), amounts: [] };
  }
  if (meter !== chargesMeter) {
    throw fieldRefusal(pointerTo(meter), `must be a number of units: only ${chargesMeter} has amounts`);
  }
  const charges = value.filter(({ count }) => count > 0);
  const amounts = charges.map(({ amount, count }) => ({ amountMinor: toUnits(amount), count: toUnits(count) }));
  return { quantity: amounts.reduce((sum, { count }) => sum + count, 0n), amounts };
};

/** The name of a valid meter has no characters that a JSON pointer must escape (RFC 6901 §3). */
const pointerTo = (meter: string): string => `/usage/${meter}`;

const toUnits = (value: number): bigint => {
  if (value > maxNumber) {
    refuseTooLarge(`Each quantity, count and amount of an estimate may be at most ${maxNumber.toLocaleString("en")}.`);
  }
  return BigInt(value);
};
