import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { dayText, monthText, utcDaysOf, utcMonthOf, utcMonthsOf } from "./utc-calendar.ts";

const zone = process.env["TZ"];
afterEach(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

const day = 24 * 3_600_000;
const instant = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) });

// Time zones that change their clocks in March, October and April, by an hour or half an hour.
test.each(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"])(
  "days and months are in UTC in every time zone: %s",
  (name) => {
    process.env["TZ"] = name;
    expect(new Date(0).getTimezoneOffset()).not.toBe(0);
    fc.assert(
      fc.property(instant, (at) => {
        const month = utcMonthOf(at);
        const days = utcDaysOf(month);
        expect(month.from <= at && at < month.to).toBe(true);
        expect(days.every(({ from, to }) => to - from === day && from % day === 0)).toBe(true);
        expect(days.map(({ from }) => Number(dayText(from).slice(8)))).toEqual(days.map((_, index) => index + 1));
        expect(monthText(at)).toBe(new Date(at).toJSON().slice(0, 7));
      }),
    );
  },
);

test("the months of a span are complete, consecutive and cover it", () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: 1, max: 500 * day }), (from, length) => {
      const months = utcMonthsOf({ from, to: from + length });
      expect(months[0]).toEqual(utcMonthOf(from));
      expect(months.at(-1)).toEqual(utcMonthOf(from + length - 1));
      for (const [index, { from: start, to }] of months.entries()) {
        expect(utcMonthOf(start)).toEqual({ from: start, to });
        if (index > 0) expect(months[index - 1]?.to).toBe(start);
      }
    }),
  );
});
