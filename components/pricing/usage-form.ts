import type { PublicPlan } from "#server/billing/catalogue/public-plan.wire.ts";
import { intervalMonths } from "#server/kernel/billing/interval-months.ts";
import { currencyExponent } from "#server/kernel/money/money.ts";
import { parseTypedAmount, parseTypedCount, toTypedAmount } from "#server/kernel/money/typed-amount.ts";

const chargesMeter = "successful_charges";

/** What a person typed, by meter; `average`: the average amount of a charge. */
export type TypedUsage = { counts: Readonly<Record<string, string>>; average: string };

export type UsageProblem = { field: string; message: string };
export type MeterUsage = number | { amount: number; count: number }[];

/** Successful charges, then all other meters that have a price in one of the plans, in the plans' order. */
export const metersOf = (plans: readonly PublicPlan[]): string[] => [
  ...new Set([chargesMeter, ...plans.flatMap(({ prices }) => prices.map(({ meter }) => meter))]),
];

const maxQuantity = 1_000_000_000;

/** An empty field counts as zero. */
const parseCount = (text: string, locale: string): number | null => {
  const count = text.trim() === "" ? 0n : parseTypedCount(text, locale);
  return count === null || count > maxQuantity ? null : Number(count);
};

/** The initial average amount of a charge, as a person would type it. */
export const firstAverage = (currency: string, locale: string): string =>
  toTypedAmount({ amountMinor: currencyExponent(currency) === 3 ? 25_000n : 2_500n, currency }, locale);

/** @returns the usage of an estimate by meter, or the first problem and its field. */
export const readUsageForm = (
  { counts, average }: TypedUsage,
  currency: string,
  locale: string,
): { usage: ReadonlyMap<string, MeterUsage> } | { problem: UsageProblem } => {
  const amount = parseTypedAmount(average, currency, locale);
  if (amount.kind !== "amount") {
    return { problem: { field: "average", message: `Enter an amount, like ${firstAverage(currency, locale)}.` } };
  }
  const usage = new Map<string, MeterUsage>();
  for (const [meter, text] of Object.entries(counts)) {
    const count = parseCount(text, locale);
    if (count === null) {
      return { problem: { field: meter, message: "Enter a whole number of at most 1,000,000,000." } };
    }
    usage.set(meter, meter === chargesMeter ? [{ amount: Number(amount.amountMinor), count }] : count);
  }
  return { usage };
};

const times = (usage: MeterUsage, months: number): MeterUsage =>
  typeof usage === "number" ? usage * months : usage.map(({ amount, count }) => ({ amount, count: count * months }));

/**
 * The usage of one interval of the plan, with the same usage in each of its months. Meters without a price in the plan
 * are left out, because their usage costs nothing.
 */
export const usageOfPlan = (plan: PublicPlan, monthly: ReadonlyMap<string, MeterUsage>): Record<string, MeterUsage> =>
  Object.fromEntries(
    plan.prices.flatMap(({ meter, model }) => {
      const used = monthly.get(meter);
      if (used === undefined) return [];
      const isByAmount = model === "basis_points" || model === "graduated_basis_points";
      const plain = typeof used === "number" ? used : used.reduce((sum, { count }) => sum + count, 0);
      return [[meter, times(isByAmount ? used : plain, intervalMonths[plan.interval])]];
    }),
  );
