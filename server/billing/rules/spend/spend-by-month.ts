import { meterTitle } from "../../../kernel/billing/meter-title.ts";
import { dayIn } from "../../../kernel/time/calendar.ts";
import type { LineKind } from "../invoice/types.ts";

/** The cost of one meter, or of lines without a meter, in a period. */
export type SpendItem = {
  currency: string;
  periodFrom: Date;
  kind: LineKind;
  meter: string | null;
  amount: bigint;
};

export type MonthlySpend = {
  currency: string;
  total: bigint;
  /** the most expensive first; `Other` contains the rest */
  series: string[];
  /** in time order; one amount per series */
  months: { month: string; amounts: bigint[] }[];
};

const maxSeries = 5;
const kindNames: Readonly<Partial<Record<LineKind, string>>> = {
  flat: "Flat fee",
  true_up: "Minimum charge",
  proration: "Plan changes",
  sla_credit: "SLA credits",
};

const nameOf = ({ kind, meter }: SpendItem): string =>
  meter === null ? (kindNames[kind] ?? "Other lines") : meterTitle(meter);

/** The last `count` months, including the current one, for example `2026-11`. */
export const monthsUntil = (now: Date, { count, timeZone }: { count: number; timeZone: string }): string[] => {
  const [year = 0, month = 0] = dayIn(timeZone, now).split("-").map(Number);
  return Array.from({ length: count }, (_, index) => {
    const total = year * 12 + (month - 1) - (count - 1 - index);
    return `${Math.floor(total / 12)}-${String((total % 12) + 1).padStart(2, "0")}`;
  });
};

/**
 * Spend by currency, month and meter. A period counts in the month in which it starts in the time zone
 * (docs/spec/billing.md, Spend).
 */
export const spendByMonth = (
  items: readonly SpendItem[],
  { months, timeZone }: { months: readonly string[]; timeZone: string },
): MonthlySpend[] => {
  const shown = items
    .map((item) => ({ ...item, name: nameOf(item), month: dayIn(timeZone, item.periodFrom).slice(0, 7) }))
    .filter(({ month }) => months.includes(month));
  return [...Map.groupBy(shown, ({ currency }) => currency)].map(([currency, own]) => {
    const seriesOf = chooseSeries(own);
    const series = [...new Set(seriesOf.values())];
    const sumOf = (month: string, name: string) =>
      sum(own.filter((item) => item.month === month && seriesOf.get(item.name) === name));
    const points = months.map((month) => ({ month, amounts: series.map((name) => sumOf(month, name)) }));
    return { currency, total: sum(own), series, months: points };
  });
};

type Named = { name: string; amount: bigint };

const sum = (items: readonly { amount: bigint }[]): bigint => items.reduce((total, { amount }) => total + amount, 0n);

/** The series of each name. If there are too many names, the cheapest ones share the series `Other`. */
const chooseSeries = (items: readonly Named[]): Map<string, string> => {
  const totals = [...Map.groupBy(items, ({ name }) => name)].map(([name, own]) => ({ name, total: sum(own) }));
  const ranked = totals.toSorted((one, other) => (other.total > one.total ? 1 : other.total < one.total ? -1 : 0));
  const kept = ranked.length > maxSeries ? maxSeries - 1 : maxSeries;
  return new Map(ranked.map(({ name }, index) => [name, index < kept ? name : "Other"]));
};
