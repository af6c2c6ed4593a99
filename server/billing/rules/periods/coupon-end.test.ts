import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays } from "../../../kernel/time/calendar.ts";
import { nthBillingPeriod } from "./billing-period.ts";
import { couponEnd } from "./coupon-end.ts";

/** UTC, and zones in which the change to summer time skips midnight, or skipped it until recently. */
const zones = ["Asia/Beirut", "Africa/Cairo", "America/Santiago", "America/Havana", "America/Asuncion", "UTC"];

describe("the months of a coupon (docs/spec/billing.md, Coupons of a subscription)", () => {
  test.each([
    ["Asia/Beirut", "2027-03-28"],
    ["America/Santiago", "2027-09-05"],
    ["America/Havana", "2027-03-14"],
  ])(
    "%s: one month ends with its period, even if the first day of the period, %s, starts at 01:00",
    (timeZone, anchorDate) => {
      const first = nthBillingPeriod({ interval: "month", anchorDate, timeZone }, 0);
      expect(couponEnd(1, { from: first.from, at: first.from, timeZone })).toEqual(first.to);
    },
  );

  test("a coupon of n months ends with a monthly period: the nth, or the next one for one month within a long period", () => {
    const days = fc.integer({ min: 0, max: 1500 }).map((count) => addDays("2023-01-01", count));
    const given = fc.record({
      timeZone: fc.constantFrom(...zones),
      anchorDate: days,
      number: fc.integer({ min: 0, max: 30 }),
      months: fc.integer({ min: 1, max: 12 }),
      share: fc.double({ min: 0, max: 0.99, noNaN: true }),
    });
    fc.assert(
      fc.property(given, ({ timeZone, anchorDate, number, months, share }) => {
        const schedule = { interval: "month", anchorDate, timeZone } as const;
        const { from, to } = nthBillingPeriod(schedule, number);
        const at = new Date(from.getTime() + Math.floor((to.getTime() - from.getTime()) * share));
        const end = couponEnd(months, { from, at, timeZone });
        if (end <= at) throw new Error("the coupon ends before it is applied");
        // In a long period, such as 28 February to 31 March, one month from the start may be over when the coupon is
        // applied. The month is then counted from the day on which the coupon is applied.
        const last = nthBillingPeriod(schedule, number + months);
        expect(nthBillingPeriod(schedule, number + months - 1).from < end).toBe(true);
        expect(end <= last.from || (months === 1 && end <= last.to)).toBe(true);
      }),
    );
  });
});
