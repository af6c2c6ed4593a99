import fc from "fast-check";
import { expect, test } from "vitest";
import type { BillingInterval } from "../../../kernel/billing/interval-months.ts";
import { addDays, dayIn, startOfDay } from "../../../kernel/time/calendar.ts";
import { billingPeriodAt, nthBillingPeriod } from "./billing-period.ts";
import { prorateDays, unusedCredit } from "./proration.ts";

const timeZones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "America/Asuncion",
];
const months: Readonly<Record<BillingInterval, number>> = { month: 1, quarter: 3, year: 12 };

const twoDigits = (value: number) => String(value).padStart(2, "0");
const dayOf = (year: number, month: number, day: number) => `${year}-${twoDigits(month)}-${twoDigits(day)}`;
const exists = (day: string) => startOfDay(day, "UTC") !== null;

/** Slow: tries the anchor day, then each earlier day of that month. */
const slowStart = (anchor: string, monthsLater: number): string => {
  const [year = 0, month = 0, day = 0] = anchor.split("-").map(Number);
  const index = year * 12 + month - 1 + monthsLater;
  let candidate = day;
  while (!exists(dayOf(Math.floor(index / 12), (index % 12) + 1, candidate))) candidate -= 1;
  return dayOf(Math.floor(index / 12), (index % 12) + 1, candidate);
};

const schedule = fc.record({
  interval: fc.constantFrom<BillingInterval>("month", "quarter", "year"),
  anchorDate: fc.integer({ min: 0, max: 1500 }).map((days) => addDays("2023-01-01", days)),
  timeZone: fc.constantFrom(...timeZones),
});

test("the nth period starts on the anchor day in the time zone, or on the last day of a shorter month (docs/spec/billing.md, Periods)", () => {
  fc.assert(
    fc.property(schedule, fc.integer({ min: 0, max: 40 }), (given, index) => {
      const { from, to } = nthBillingPeriod(given, index);
      expect(dayIn(given.timeZone, from)).toBe(slowStart(given.anchorDate, index * months[given.interval]));
      expect(nthBillingPeriod(given, index + 1).from).toEqual(to);
      // The period starts at the first instant of that day.
      expect(dayIn(given.timeZone, new Date(from.getTime() - 1)) < dayIn(given.timeZone, from)).toBe(true);
    }),
  );
});

test("each instant belongs to exactly one period (docs/spec/billing.md, Periods)", () => {
  const instants = fc.date({ min: new Date("2022-01-01"), max: new Date("2029-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(schedule, instants, (given, at) => {
      const { index, from, to } = billingPeriodAt(given, at);
      expect(from <= at && at < to).toBe(true);
      expect(nthBillingPeriod(given, index)).toEqual({ from, to });
      expect(billingPeriodAt(given, from).index).toBe(index);
      expect(billingPeriodAt(given, to).index).toBe(index + 1);
    }),
  );
});

test("the days of a period's parts sum to the period's days, for changes at any time (docs/spec/billing.md, Periods)", () => {
  const changes = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 });
  fc.assert(
    fc.property(schedule, changes, (given, shares) => {
      const whole = nthBillingPeriod(given, 3);
      const length = whole.to.getTime() - whole.from.getTime();
      const instants = shares.sort().map((share) => new Date(whole.from.getTime() + Math.floor(share * (length - 1))));
      const borders = [whole.from, ...instants, whole.to];
      const parts = borders.slice(1).map((to, index) => ({ from: borders[index] ?? whole.from, to }));
      const days = parts.map((part) => prorateDays(whole, part, given.timeZone));
      expect(days.reduce((sum, { used }) => sum + used, 0)).toBe(days[0]?.of);
    }),
  );
});

test.each([
  ["2027-03-28T00:30:00Z", 27, "the day on which clocks go forward has 23 hours"],
  ["2027-03-27T22:59:59Z", 26, "the last second of 27 March in Berlin"],
  ["2027-03-27T23:00:00Z", 27, "the first instant of 28 March in Berlin"],
])("a part that ends at %s has %i days: %s (docs/spec/billing.md, Periods)", (end, used) => {
  const march = nthBillingPeriod({ interval: "month", anchorDate: "2027-03-01", timeZone: "Europe/Berlin" }, 0);
  const part = { from: march.from, to: new Date(end) };
  expect(prorateDays(march, part, "Europe/Berlin")).toEqual({ used, of: 31 });
});

test("the credit for unused days is a share of the billed amount (docs/spec/billing.md, Examples)", () => {
  expect([unusedCredit(2000n, 21, 31), unusedCredit(2000n, 31, 31), unusedCredit(2000n, 0, 31)]).toEqual([
    1355n,
    2000n,
    0n,
  ]);
});
