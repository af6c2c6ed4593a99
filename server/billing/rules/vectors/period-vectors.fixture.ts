import { Temporal } from "temporal-polyfill";
import { dayIn, startOfDay } from "../../../kernel/time/calendar.ts";
import { multiplyRatio, parseExact, roundToMinor, toExact } from "../exact/exact.ts";
import { billingPeriodAt, nthBillingPeriod } from "../periods/billing-period.ts";
import { prorateDays, unusedCredit } from "../periods/proration.ts";
import type { Period } from "../usage-period.ts";
import { invoiceOf, linesOf, partOf, runnerOf, type VectorRunner } from "./vector.fixture.ts";

const timeZone = "UTC";

const instant = (day: string): Date => {
  const start = startOfDay(day, timeZone);
  if (start === null) throw new Error(`${timeZone} has no day ${day}`);
  return start;
};
const span = (from: string, to: string): Period => ({ from: instant(from), to: instant(to) });
const monthly = (anchorDate: string) => ({ interval: "month" as const, anchorDate, timeZone });

/** The latest day with this number in an earlier month. Months that are too short are skipped. */
const earlierAnchor = (start: string, anchorDay: number): string => {
  let month = Temporal.PlainDate.from(start).subtract({ months: 1 });
  while (month.daysInMonth < anchorDay) month = month.subtract({ months: 1 });
  return month.with({ day: anchorDay }).toString();
};

/** The first anchor date on or after the start. */
const firstAnchor = ({ start, anchor_day }: { start: string; anchor_day: number }): string => {
  const { from, to } = billingPeriodAt(monthly(earlierAnchor(start, anchor_day)), instant(start));
  return dayIn(timeZone, from) === start ? start : dayIn(timeZone, to);
};

const fraction = ({ used, of }: { used: number; of: number }) => `${used}/${of}`;

/** The flat line of a part of a period. */
const flatOf = (full: number, days: { used: number; of: number }) => {
  const [line] = invoiceOf(partOf({}, { flat: BigInt(full) }, days)).lines;
  return { exact: line?.exact ?? 0n, minor: Number(line?.amount ?? 0n) };
};

type Flat = {
  full_minor: number;
  days: number;
  period_days: number;
  from?: string;
  to_exclusive?: string;
  period?: [string, string];
};

/** If the example contains dates, the days are computed from them. */
const prorated = runnerOf<Flat>(({ full_minor, days: given, period_days, from, to_exclusive, period }) => {
  const days =
    from && to_exclusive && period
      ? prorateDays(span(...period), span(from, to_exclusive), timeZone)
      : { used: given, of: period_days };
  const { exact, minor } = flatOf(full_minor, days);
  return { exact_minor: exact, minor };
});

const ratioDigits = 9;

const decimalPlaces = (value: bigint, digits: number): string => {
  const scaled = roundToMinor(value * 10n ** BigInt(digits))
    .toString()
    .padStart(digits + 1, "0");
  return `${scaled.slice(0, -digits)}.${scaled.slice(-digits)}`;
};

const ratio = ({ used, of }: { used: number; of: number }) =>
  decimalPlaces(multiplyRatio(toExact(1n), BigInt(used), BigInt(of)), ratioDigits);

const partOfMonth = runnerOf<{ from: string; to_exclusive: string; period_start_day: number }>(
  ({ from, to_exclusive, period_start_day }) => {
    const whole = billingPeriodAt(monthly(earlierAnchor(from, period_start_day)), instant(from));
    const days = prorateDays(whole, span(from, to_exclusive), timeZone);
    return { days: days.used, period_days: days.of, ratio: ratio(days) };
  },
);

type Part = { from: string; to_exclusive?: string; first_full_period_starts?: string; period: [string, string] };

const partFraction = runnerOf<Part>(({ from, to_exclusive, first_full_period_starts, period }) => ({
  fraction: fraction(
    prorateDays(span(...period), span(from, to_exclusive ?? first_full_period_starts ?? ""), timeZone),
  ),
}));

const flatOrFraction: VectorRunner = (input) => ("full_minor" in input ? prorated(input) : partFraction(input));

export const periodVectors: Readonly<Record<string, VectorRunner>> = {
  "anchor.first": runnerOf<{ start: string; anchor_day: number }>((input) => ({ first_anchor: firstAnchor(input) })),
  "anchor.first_period": runnerOf<{ start: string; anchor_day: number }>((input) => {
    const first = firstAnchor(input);
    const { from, to } = nthBillingPeriod(monthly(first), 0);
    return {
      periods: [
        [input.start, first],
        [dayIn(timeZone, from), dayIn(timeZone, to)],
      ],
    };
  }),
  "anchor.month_end": runnerOf<{ start: string }>(({ start }) => ({
    starts: [0, 1, 2].map((index) => dayIn(timeZone, nthBillingPeriod(monthly(start), index).from)),
  })),
  proration: flatOrFraction,
  "proration.anchor_change": flatOrFraction,
  "proration.month_length": partOfMonth,
  "proration.leap": (input) => {
    if ("full_minor" in input) return prorated(input);
    if (!("full" in input)) return partOfMonth(input);
    const { full, days, period_days } = input as { full: string; days: number; period_days: number };
    return { amount_5dp: decimalPlaces(multiplyRatio(parseExact(full), BigInt(days), BigInt(period_days)), 5) };
  },
  "proration.upgrade": runnerOf<{ old_minor: number; new_minor: number; remaining: string }>((input) => {
    const [used = 0, of = 0] = input.remaining.split("/").map(Number);
    const credit = -Number(unusedCredit(BigInt(input.old_minor), used, of));
    const debit = flatOf(input.new_minor, { used, of }).minor;
    return { credit_minor: credit, debit_minor: debit, net_minor: credit + debit };
  }),
  trial: prorated,
  "commitment.minimum.prorated": runnerOf<{
    minimum_minor: number;
    days: number;
    period_days: number;
    fees_minor: number[];
  }>(({ minimum_minor, days, period_days, fees_minor: [fee = 0] }) => {
    const proration = { used: days, of: period_days };
    const part = partOf(linesOf([toExact(BigInt(fee))]), { minimum: BigInt(minimum_minor) }, proration);
    const trueUp = invoiceOf(part).lines.find(({ kind }) => kind === "true_up");
    return { minimum_exact: flatOf(minimum_minor, proration).exact, true_up_minor: Number(trueUp?.amount ?? 0n) };
  }),
};
