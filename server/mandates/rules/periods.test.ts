import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { periodAt } from "./periods.ts";
import type { Alignment, Period } from "./terms.ts";

const bounds = (
  period: Period,
  { alignment, timeZone, anchor, at }: { alignment: Alignment; timeZone: string; anchor: string; at: string },
) => {
  const { startsAt, endsAt } = periodAt(
    { period, alignment },
    { timeZone, anchor: new Date(anchor), at: new Date(at) },
  );
  return [startsAt.toISOString(), endsAt.toISOString()];
};
const utc = (period: Period, dated: { alignment: Alignment; anchor: string; at: string }) =>
  bounds(period, { timeZone: "UTC", ...dated }).map((text) => text.slice(0, 10));

describe("periods (docs/spec/payments.md, Limits and periods)", () => {
  test("calendar weeks start on Monday", () => {
    expect(utc("week", { alignment: "calendar", anchor: "2026-01-01T00:00:00Z", at: "2026-11-22T23:59:59Z" })).toEqual([
      "2026-11-16",
      "2026-11-23",
    ]);
    expect(utc("week", { alignment: "calendar", anchor: "2026-01-01T00:00:00Z", at: "2026-11-23T00:00:00Z" })).toEqual([
      "2026-11-23",
      "2026-11-30",
    ]);
  });

  test("calendar days and months are those of the time zone, not of UTC", () => {
    const at = "2026-11-30T23:30:00Z";
    expect(
      bounds("month", { alignment: "calendar", timeZone: "Europe/Berlin", anchor: "2026-01-01T00:00:00Z", at }),
    ).toEqual(["2026-11-30T23:00:00.000Z", "2026-12-31T23:00:00.000Z"]);
    expect(
      bounds("day", { alignment: "calendar", timeZone: "America/New_York", anchor: "2026-01-01T00:00:00Z", at }),
    ).toEqual(["2026-11-30T05:00:00.000Z", "2026-12-01T05:00:00.000Z"]);
  });

  test("the first calendar period is a full period, even if the mandate began late in it (no pro-rating)", () => {
    expect(utc("month", { alignment: "calendar", anchor: "2026-11-30T23:59:59Z", at: "2026-11-30T23:59:59Z" })).toEqual(
      ["2026-11-01", "2026-12-01"],
    );
  });

  test("consent quarters last three months, counted from the anchor; if a month lacks the anchor's day, they start on its last day", () => {
    expect(
      utc("quarter", { alignment: "consent", anchor: "2026-11-30T09:00:00Z", at: "2027-02-28T00:00:00Z" }),
    ).toEqual(["2027-02-28", "2027-05-30"]);
    expect(
      utc("quarter", { alignment: "consent", anchor: "2026-11-30T09:00:00Z", at: "2027-02-27T23:59:59Z" }),
    ).toEqual(["2026-11-30", "2027-02-28"]);
  });

  test("consent weeks last seven days, counted from the anchor, and can start on any weekday", () => {
    expect(utc("week", { alignment: "consent", anchor: "2026-11-19T09:00:00Z", at: "2026-11-26T00:00:00Z" })).toEqual([
      "2026-11-26",
      "2026-12-03",
    ]);
  });

  test("if local midnight occurs twice, the day starts at its first occurrence", () => {
    // Havana: 01:00 back to 00:00 on 1 November 2026.
    const first = "2026-11-01T04:00:00.000Z";
    expect(
      bounds("day", {
        alignment: "calendar",
        timeZone: "America/Havana",
        anchor: "2026-01-01T00:00:00Z",
        at: "2026-11-01T05:30:00Z",
      }),
    ).toEqual([first, "2026-11-02T05:00:00.000Z"]);
  });

  test("calendar quarters and years follow the calendar", () => {
    expect(
      utc("quarter", { alignment: "calendar", anchor: "2026-01-15T00:00:00Z", at: "2026-06-30T23:00:00Z" }),
    ).toEqual(["2026-04-01", "2026-07-01"]);
    expect(utc("year", { alignment: "calendar", anchor: "2026-01-15T00:00:00Z", at: "2026-06-30T23:00:00Z" })).toEqual([
      "2026-01-01",
      "2027-01-01",
    ]);
  });

  test("consent months start on the last day of a month that lacks the anchor's day, and on the anchor's day again afterwards", () => {
    const anchor = "2027-01-31T10:00:00Z";
    expect(utc("month", { alignment: "consent", anchor, at: "2027-02-27T00:00:00Z" })).toEqual([
      "2027-01-31",
      "2027-02-28",
    ]);
    expect(utc("month", { alignment: "consent", anchor, at: "2027-02-28T00:00:00Z" })).toEqual([
      "2027-02-28",
      "2027-03-31",
    ]);
    expect(utc("month", { alignment: "consent", anchor, at: "2027-04-30T00:00:00Z" })).toEqual([
      "2027-04-30",
      "2027-05-31",
    ]);
    expect(utc("month", { alignment: "consent", anchor: "2028-01-31T00:00:00Z", at: "2028-02-29T12:00:00Z" })).toEqual([
      "2028-02-29",
      "2028-03-31",
    ]);
  });

  test("a year from 29 February ends on the 28th and returns to the 29th in a leap year", () => {
    const anchor = "2028-02-29T08:00:00Z";
    expect(utc("year", { alignment: "consent", anchor, at: "2028-12-31T00:00:00Z" })).toEqual([
      "2028-02-29",
      "2029-02-28",
    ]);
    expect(utc("year", { alignment: "consent", anchor, at: "2032-02-28T12:00:00Z" })).toEqual([
      "2031-02-28",
      "2032-02-29",
    ]);
  });

  test("consent periods start at the first instant of the anchor's local date", () => {
    expect(
      bounds("day", {
        alignment: "consent",
        timeZone: "Asia/Tokyo",
        anchor: "2026-11-20T20:00:00Z",
        at: "2026-11-20T20:00:00Z",
      }),
    ).toEqual(["2026-11-20T15:00:00.000Z", "2026-11-21T15:00:00.000Z"]);
  });

  test("a day of a daylight-saving change has 23 or 25 hours", () => {
    expect(
      bounds("day", {
        alignment: "calendar",
        timeZone: "Europe/Berlin",
        anchor: "2026-01-01T00:00:00Z",
        at: "2026-03-29T12:00:00Z",
      }),
    ).toEqual(["2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"]);
    expect(
      bounds("day", {
        alignment: "calendar",
        timeZone: "Europe/Berlin",
        anchor: "2026-01-01T00:00:00Z",
        at: "2026-10-25T12:00:00Z",
      }),
    ).toEqual(["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"]);
  });

  test("if local midnight is missing, the day starts at the first instant after the gap", () => {
    // Beirut went from 00:00 to 01:00 on 27 March 2022, São Paulo on 4 November 2018.
    expect(
      bounds("day", {
        alignment: "calendar",
        timeZone: "Asia/Beirut",
        anchor: "2022-01-01T00:00:00Z",
        at: "2022-03-27T12:00:00Z",
      })[0],
    ).toBe("2022-03-26T22:00:00.000Z");
    expect(
      bounds("day", {
        alignment: "calendar",
        timeZone: "America/Sao_Paulo",
        anchor: "2018-01-01T00:00:00Z",
        at: "2018-11-04T12:00:00Z",
      }),
    ).toEqual(["2018-11-04T03:00:00.000Z", "2018-11-05T02:00:00.000Z"]);
  });

  test("clocks that go back over midnight (St John's, 00:01 to 23:01) cause neither a gap nor a second period", () => {
    const at = "2010-11-07T02:45:00Z"; // 23:15 of the 6th, for the second time
    const [start, end] = bounds("day", {
      alignment: "calendar",
      timeZone: "America/St_Johns",
      anchor: "2010-01-01T00:00:00Z",
      at,
    });
    expect(start).toBe("2010-11-07T02:30:00.000Z"); // 00:00 of the 7th, for the first time
    expect(end).toBe("2010-11-08T03:30:00.000Z");
  });
});

const dayMs = 86_400_000;
const localDate = (timeZone: string) => {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return (instant: number) => format.format(new Date(instant));
};

/**
 * The earliest instant whose local date is `date` or later, by bisection; dates never run backwards in the zones used.
 */
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

const beginsPeriod = (
  date: string,
  { period, alignment, anchorDate }: { period: Period; alignment: Alignment; anchorDate: string },
): boolean => {
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

/** The reference model: finds a period's bounds by walking the calendar day by day, with Intl only. */
const slowPeriodAt = (
  period: Period,
  { alignment, timeZone, anchor, at }: { alignment: Alignment; timeZone: string; anchor: Date; at: Date },
) => {
  const dateOf = localDate(timeZone);
  const anchorDate = dateOf(anchor.getTime());
  let startsOn = dateOf(at.getTime());
  while (!beginsPeriod(startsOn, { period, alignment, anchorDate })) {
    startsOn = new Date(Date.parse(`${startsOn}T00:00:00Z`) - dayMs).toISOString().slice(0, 10);
  }
  let endsOn = nextDate(dateOf(at.getTime()));
  while (!beginsPeriod(endsOn, { period, alignment, anchorDate })) endsOn = nextDate(endsOn);
  return { startsAt: new Date(firstInstantOf(startsOn, dateOf)), endsAt: new Date(firstInstantOf(endsOn, dateOf)) };
};

/** The next change of clocks, searched day by day, then by bisection, with Intl only; null if none within a year. */
const nextClockChange = (timeZone: string, from: number): number | null => {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const offsetAt = (instant: number) =>
    format.formatToParts(new Date(instant)).find(({ type }) => type === "timeZoneName")?.value;
  const before = offsetAt(from);
  let high = from;
  while (offsetAt(high) === before) {
    high += dayMs;
    if (high > from + 366 * dayMs) return null;
  }
  let low = high - dayMs;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
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
  // 30 December 2011 didn't exist there.
  "Pacific/Apia",
];
/** The last days of a month. Shorter months lack some of them. */
const monthEnd = fc
  .record({
    year: fc.integer({ min: 2009, max: 2030 }),
    month: fc.integer({ min: 0, max: 11 }),
    day: fc.constantFrom(28, 29, 30, 31),
  })
  .map(({ year, month, day }) => Date.UTC(year, month, day, 12));
const arbitrary = {
  period: fc.constantFrom<Period>("day", "week", "month", "quarter", "year"),
  alignment: fc.constantFrom<Alignment>("calendar", "consent"),
  zone: fc.constantFrom(...zones),
  anchor: fc.oneof(fc.integer({ min: Date.parse("2009-01-01"), max: Date.parse("2030-12-31") }), monthEnd),
  later: fc.integer({ min: 0, max: 800 * dayMs }),
};

describe("periods, against a reference model", () => {
  const isTheModels = (
    period: Period,
    { alignment, zone, anchor, at }: { alignment: Alignment; zone: string; anchor: Date; at: Date },
  ) => {
    const expected = slowPeriodAt(period, { alignment, timeZone: zone, anchor, at });
    expect(periodAt({ period, alignment }, { timeZone: zone, anchor, at })).toEqual(expected);
    expect(expected.startsAt <= at && at < expected.endsAt).toBe(true);
    return expected;
  };

  test("bounds equal the model's and contain the instant, for random instants and for those within 1 ms of a period's end", () => {
    fc.assert(
      fc.property(
        arbitrary.period,
        arbitrary.alignment,
        arbitrary.zone,
        arbitrary.anchor,
        arbitrary.later,
        (period, alignment, zone, anchorMs, later) => {
          const anchor = new Date(anchorMs);
          const { endsAt } = isTheModels(period, { alignment, zone, anchor, at: new Date(anchorMs + later) });
          for (const step of [-1, 0, 1]) {
            isTheModels(period, { alignment, zone, anchor, at: new Date(endsAt.getTime() + step) });
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test("bounds equal the model's around each change of clocks", () => {
    const hours = fc.integer({ min: -26 * 60, max: 26 * 60 }).map((minutes) => minutes * 60_000);
    fc.assert(
      fc.property(
        arbitrary.period,
        arbitrary.alignment,
        arbitrary.zone,
        arbitrary.anchor,
        hours,
        (period, alignment, zone, anchorMs, offset) => {
          const change = nextClockChange(zone, anchorMs + 2 * dayMs);
          fc.pre(change !== null);
          isTheModels(period, { alignment, zone, anchor: new Date(anchorMs), at: new Date((change ?? 0) + offset) });
        },
      ),
      { numRuns: 150 },
    );
  });

  test("bounds equal the model's in every IANA time zone of this Node version", () => {
    const anchor = fc.integer({ min: Date.parse("2013-01-01"), max: Date.parse("2030-12-31") });
    fc.assert(
      fc.property(
        arbitrary.period,
        arbitrary.alignment,
        fc.constantFrom(...Intl.supportedValuesOf("timeZone")),
        anchor,
        arbitrary.later,
        (period, alignment, zone, anchorMs, later) => {
          isTheModels(period, { alignment, zone, anchor: new Date(anchorMs), at: new Date(anchorMs + later) });
        },
      ),
      { numRuns: 300 },
    );
  });

  test("periods are adjacent: the last instant belongs to this period, the border to the next", () => {
    fc.assert(
      fc.property(
        arbitrary.period,
        arbitrary.alignment,
        fc.constantFrom(...zones, "America/St_Johns"),
        arbitrary.anchor,
        arbitrary.later,
        (period, alignment, zone, anchorMs, later) => {
          const anchor = new Date(anchorMs);
          const current = periodAt({ period, alignment }, { timeZone: zone, anchor, at: new Date(anchorMs + later) });
          const last = periodAt(
            { period, alignment },
            { timeZone: zone, anchor, at: new Date(current.endsAt.getTime() - 1) },
          );
          const next = periodAt({ period, alignment }, { timeZone: zone, anchor, at: current.endsAt });
          expect(last).toEqual(current);
          expect(next.startsAt).toEqual(current.endsAt);
        },
      ),
      { numRuns: 300 },
    );
  });
});
