/** The number of months in a billing interval. */
export const intervalMonths = { month: 1, quarter: 3, year: 12 } as const;

export type BillingInterval = keyof typeof intervalMonths;

/** An amount per interval as an amount per month, rounded to whole minor units. */
export const toMonthly = (amountMinor: number, interval: BillingInterval): number =>
  Math.round(amountMinor / intervalMonths[interval]);

/** An amount per interval as an amount per year. It is exact, so plans of different intervals can be compared. */
export const toYearly = (amountMinor: number, interval: BillingInterval): number =>
  amountMinor * (intervalMonths.year / intervalMonths[interval]);
