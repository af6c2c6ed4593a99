import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { periodAt } from "./periods.ts";
import type { Alignment, Period } from "./terms.ts";

const bounds = (period: Period, alignment: Alignment, timeZone: string, anchor: string, at: string) => {
  const { startsAt, endsAt } = periodAt({ period, alignment }, timeZone, new Date(anchor), new Date(at));
  return [startsAt.toISOString(), endsAt.toISOString()];
};
const utc = (period: Period, alignment: Alignment, anchor: string, at: string) =>
  bounds(period, alignment, "UTC", anchor, at).map((text) => text.slice(0, 10));

describe("periods (2-payments, Periods)", () => {
  test("calendar weeks start on Monday", () => {
    expect(utc("week", "calendar", "2026-01-01T00:00:00Z", "2026-11-22T23:59:59Z")).toEqual([
      "2026-11-16",
      "2026-11-23",
    ]);
    expect(utc("week", "calendar", "2026-01-01T00:00:00Z", "2026-11-23T00:00:00Z")).toEqual([
      "2026-11-23",
      "2026-11-30",
    ]);
  });

  test("calendar quarters and years are those of the calendar", () => {
    expect(utc("quarter", "calendar", "2026-01-15T00:00:00Z", "2026-06-30T23:00:00Z")).toEqual([
      "2026-04-01",
      "2026-07-01",
    ]);
    expect(utc("year", "calendar", "2026-01-15T00:00:00Z", "2026-06-30T23:00:00Z")).toEqual([
      "2026-01-01",
      "2027-01-01",
    ]);
  });

  test("month ends clamp to the anchor day and come back to it", () => {
    const anchor = "2027-01-31T10:00:00Z";
    expect(utc("month", "consent", anchor, "2027-02-27T00:00:00Z")).toEqual(["2027-01-31", "2027-02-28"]);
    expect(utc("month", "consent", anchor, "2027-02-28T00:00:00Z")).toEqual(["2027-02-28", "2027-03-31"]);
    expect(utc("month", "consent", anchor, "2027-04-30T00:00:00Z")).toEqual(["2027-04-30", "2027-05-31"]);
    expect(utc("month", "consent", "2028-01-31T00:00:00Z", "2028-02-29T12:00:00Z")).toEqual([
      "2028-02-29",
      "2028-03-31",
    ]);
  });

  test("a year from 29 February ends on the 28th and comes back on the next leap day", () => {
    const anchor = "2028-02-29T08:00:00Z";
    expect(utc("year", "consent", anchor, "2028-12-31T00:00:00Z")).toEqual(["2028-02-29", "2029-02-28"]);
    expect(utc("year", "consent", anchor, "2032-02-28T12:00:00Z")).toEqual(["2031-02-28", "2032-02-29"]);
  });

  test("consent periods start at the first instant of the anchor's local date", () => {
    expect(bounds("day", "consent", "Asia/Tokyo", "2026-11-20T20:00:00Z", "2026-11-20T20:00:00Z")).toEqual([
      "2026-11-20T15:00:00.000Z",
      "2026-11-21T15:00:00.000Z",
    ]);
  });

  test("a day of a daylight-saving change has 23 or 25 hours", () => {
    expect(bounds("day", "calendar", "Europe/Berlin", "2026-01-01T00:00:00Z", "2026-03-29T12:00:00Z")).toEqual([
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
    ]);
    expect(bounds("day", "calendar", "Europe/Berlin", "2026-01-01T00:00:00Z", "2026-10-25T12:00:00Z")).toEqual([
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
    ]);
  });

  test("a missing local midnight is the first instant after the gap", () => {
    // Beirut went from 00:00 to 01:00 on 27 March 2022, São Paulo on 4 November 2018.
    expect(bounds("day", "calendar", "Asia/Beirut", "2022-01-01T00:00:00Z", "2022-03-27T12:00:00Z")[0]).toBe(
      "2022-03-26T22:00:00.000Z",
    );
    expect(bounds("day", "calendar", "America/Sao_Paulo", "2018-01-01T00:00:00Z", "2018-11-04T12:00:00Z")).toEqual([
      "2018-11-04T03:00:00.000Z",
      "2018-11-05T02:00:00.000Z",
    ]);
  });

  test("clocks that go back over midnight (St John's, 00:01 to 23:01) neither open a gap nor a second period", () => {
    const at = "2010-11-07T02:45:00Z"; // 23:15 of the 6th, for the second time
    const [start, end] = bounds("day", "calendar", "America/St_Johns", "2010-01-01T00:00:00Z", at);
    expect(start).toBe("2010-11-07T02:30:00.000Z"); // 00:00 of the 7th, for the first time
    expect(end).toBe("2010-11-08T03:30:00.000Z");
  });
});

/** The slow, obvious model: walk the calendar day by day with Intl alone, and note where a period begins. */
const dayMs = 86_400_000;
const localDate = (timeZone: string) => {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return (instant: number) => format.format(new Date(instant));
};

/** The earliest instant whose local date is `date` or later, by bisection; dates never run backwards in the zones used. */
const firstInstantOf = (date: string, dateOf: (instant: number) => string): number => {
  const noon = Date.parse(`${date}T12:00:00Z`);
  let low = noon - 2 * dayMs;
  let high = noon + 2 * dayMs;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dateOf(middle) >= date) high = middle;
    else low = middle;
  }
  return high;
};

const nextDate = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
const daysInMonth = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();
const parts = (date: string) => {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  return { year, month, day };
};

const beginsPeriod = (date: string, period: Period, alignment: Alignment, anchorDate: string): boolean => {
  const { year, month, day } = parts(date);
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  const origin = parts(anchorDate);
  const days = Math.round((Date.parse(`${date}T00:00:00Z`) - Date.parse(`${anchorDate}T00:00:00Z`)) / dayMs);
  const months = (year - origin.year) * 12 + month - origin.month;
  const onAnchorDay = day === Math.min(origin.day, daysInMonth(year, month));
  switch (period) {
    case "day":
      return true;
    case "week":
      return alignment === "calendar" ? weekday === 1 : days % 7 === 0;
    case "month":
      return alignment === "calendar" ? day === 1 : onAnchorDay;
    case "quarter":
      return alignment === "calendar" ? day === 1 && month % 3 === 1 : onAnchorDay && months % 3 === 0;
    case "year":
      return alignment === "calendar" ? day === 1 && month === 1 : onAnchorDay && months % 12 === 0;
  }
};

const slowPeriodAt = (period: Period, alignment: Alignment, timeZone: string, anchor: Date, at: Date) => {
  const dateOf = localDate(timeZone);
  const anchorDate = dateOf(anchor.getTime());
  let startsOn = dateOf(at.getTime());
  while (!beginsPeriod(startsOn, period, alignment, anchorDate)) {
    startsOn = new Date(Date.parse(`${startsOn}T00:00:00Z`) - dayMs).toISOString().slice(0, 10);
  }
  let endsOn = nextDate(dateOf(at.getTime()));
  while (!beginsPeriod(endsOn, period, alignment, anchorDate)) endsOn = nextDate(endsOn);
  return { startsAt: new Date(firstInstantOf(startsOn, dateOf)), endsAt: new Date(firstInstantOf(endsOn, dateOf)) };
};

const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Sao_Paulo",
  "America/Havana",
  "America/Santiago",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Africa/Cairo",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
  "Pacific/Chatham",
];
const arbitrary = {
  period: fc.constantFrom<Period>("day", "week", "month", "quarter", "year"),
  alignment: fc.constantFrom<Alignment>("calendar", "consent"),
  zone: fc.constantFrom(...zones),
  anchor: fc.integer({ min: Date.parse("2015-01-01"), max: Date.parse("2030-12-31") }),
  later: fc.integer({ min: 0, max: 800 * dayMs }),
};

describe("periods, against a slow obvious model", () => {
  test("bounds are the model's, and contain the instant", () => {
    fc.assert(
      fc.property(
        arbitrary.period,
        arbitrary.alignment,
        arbitrary.zone,
        arbitrary.anchor,
        arbitrary.later,
        (period, alignment, zone, anchorMs, later) => {
          const anchor = new Date(anchorMs);
          const at = new Date(anchorMs + later);
          const actual = periodAt({ period, alignment }, zone, anchor, at);
          expect(actual).toEqual(slowPeriodAt(period, alignment, zone, anchor, at));
          expect(actual.startsAt <= at && at < actual.endsAt).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  test("periods tile time: the last instant belongs to this period, the border to the next", () => {
    fc.assert(
      fc.property(
        arbitrary.period,
        arbitrary.alignment,
        fc.constantFrom(...zones, "America/St_Johns"),
        arbitrary.anchor,
        arbitrary.later,
        (period, alignment, zone, anchorMs, later) => {
          const anchor = new Date(anchorMs);
          const current = periodAt({ period, alignment }, zone, anchor, new Date(anchorMs + later));
          const last = periodAt({ period, alignment }, zone, anchor, new Date(current.endsAt.getTime() - 1));
          const next = periodAt({ period, alignment }, zone, anchor, current.endsAt);
          expect(last).toEqual(current);
          expect(next.startsAt).toEqual(current.endsAt);
        },
      ),
      { numRuns: 300 },
    );
  });
});
