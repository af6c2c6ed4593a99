import { addDays } from "../../kernel/time/calendar.ts";
import { type Sum, summarize } from "./payment-sums.ts";

/** Sums of one calendar day in the reader's zone. `declineCode`: only of declined charges. */
export type DaySum = Sum & { day: string; declineCode: string | null };

type CurrencyTrend = {
  currency: string;
  /** net volume per day; `previous`: the net volume of the corresponding day in the previous period */
  days: { day: string; net: bigint; previous: bigint }[];
  net: bigint;
  previousNet: bigint;
};

export type Trend = {
  currencies: CurrencyTrend[];
  /** the share of paid charges among the paid and declined charges, from 0 to 1; null without such charges */
  successRate: number | null;
  previousSuccessRate: number | null;
  /** the most frequent first */
  declines: { code: string; count: number }[];
};

/**
 * The net volume of each day and of the corresponding day in the previous period, by currency.
 * @param sums of the period and of the previous period. @param period.first the first day, `2026-11-26`
 */
export const toTrend = (sums: readonly DaySum[], { first, days }: { first: string; days: number }): Trend => {
  const current = sums.filter(({ day }) => day >= first);
  const previous = sums.filter(({ day }) => day < first);
  const currencies = [...Map.groupBy(sums, ({ currency }) => currency)]
    .map(([currency, rows]) => trendOf(currency, { rows, first, days }))
    .filter(
      ({ net, previousNet, days: each }) => net !== 0n || previousNet !== 0n || each.some(({ net: n }) => n !== 0n),
    );
  return {
    currencies,
    successRate: successRateOf(current),
    previousSuccessRate: successRateOf(previous),
    declines: declinesOf(current),
  };
};

type Rows = { rows: readonly DaySum[]; first: string; days: number };

const trendOf = (currency: string, { rows, first, days }: Rows): CurrencyTrend => {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const netOf = (day: string): bigint =>
    (byDay.get(day) ?? []).reduce((total, { captured, refunded }) => total + captured - refunded, 0n);
  const points = Array.from({ length: days }, (_, index) => {
    const day = addDays(first, index);
    return { day, net: netOf(day), previous: netOf(addDays(day, -days)) };
  });
  const sum = (of: (point: (typeof points)[number]) => bigint) =>
    points.reduce((total, point) => total + of(point), 0n);
  return { currency, days: points, net: sum(({ net }) => net), previousNet: sum(({ previous }) => previous) };
};

const successRateOf = (sums: readonly DaySum[]): number | null => {
  const { paid, declined } = summarize(sums);
  return paid + declined === 0 ? null : paid / (paid + declined);
};

const declinesOf = (sums: readonly DaySum[]): Trend["declines"] => {
  const declined = sums.filter(({ state }) => state === "declined");
  return [...Map.groupBy(declined, ({ declineCode }) => declineCode ?? "unknown")]
    .map(([code, rows]) => ({ code, count: rows.reduce((total, { count }) => total + count, 0) }))
    .toSorted((left, right) => right.count - left.count || left.code.localeCompare(right.code));
};
