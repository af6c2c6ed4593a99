import { describe, expect, test } from "vitest";
import { isTimeZone } from "../../kernel/time/time-zone.ts";
import { parseInstant, resolveWindow, windowProblem } from "./validity.ts";

const at = (text: string) => new Date(text);
const now = at("2026-11-21T10:00:00Z");

describe("validity (docs/spec/payments.md, Mandate fields)", () => {
  test("valid_from becomes the time of consent if it is absent or past; valid_until defaults to one calendar year later", () => {
    const year = at("2027-11-21T10:00:00Z");
    expect(resolveWindow({ from: null, until: null }, "UTC", now)).toEqual({ validFrom: now, validUntil: year });
    expect(resolveWindow({ from: at("2020-01-01T00:00:00Z"), until: null }, "UTC", now)).toEqual({
      validFrom: now,
      validUntil: year,
    });
    const later = at("2028-02-29T00:00:00Z");
    expect(resolveWindow({ from: later, until: null }, "UTC", now)).toEqual({
      validFrom: later,
      validUntil: at("2029-02-28T00:00:00Z"),
    });
  });

  test("a year is a calendar year of the mandate's time zone, across daylight saving", () => {
    const from = at("2027-03-28T00:30:00Z"); // 01:30 in Berlin, half an hour before clocks go forward
    expect(resolveWindow({ from, until: null }, "Europe/Berlin", now).validUntil).toEqual(at("2028-03-27T23:30:00Z"));
  });

  test("accepts only time zones in which periods can be computed, not every name that Intl accepts", () => {
    const known = ["PST", "IST", "JST", "CST", "ACT", "AET", "VST", "US/Pacific", "utc", "Etc/GMT+12", "EST5EDT"];
    const taken = [...known, ...Intl.supportedValuesOf("timeZone")].filter(isTimeZone);
    for (const zone of taken) expect(resolveWindow({ from: null, until: null }, zone, now).validUntil > now).toBe(true);
    expect(known.filter((name) => !taken.includes(name))).toEqual(["PST", "IST", "JST", "CST", "ACT", "AET", "VST"]);
    expect(taken.length).toBeGreaterThan(400);
  });

  test.each<[string | null, string | null, boolean]>([
    [null, "2027-11-21T10:00:00Z", true],
    [null, "2027-11-21T10:00:00.001Z", false],
    [null, "2026-11-21T10:00:00Z", false],
    ["2027-06-01T00:00:00Z", "2028-06-01T00:00:00Z", true],
    ["2027-06-01T00:00:00Z", "2028-06-01T00:00:01Z", false],
    ["2027-06-01T00:00:00Z", "2027-06-01T00:00:00Z", false],
    ["2020-01-01T00:00:00Z", "2027-11-21T10:00:00Z", true],
  ])(
    "from %s until %s: allowed %s (at most one calendar year after the later of PAR and valid_from)",
    (from, until, allowed) => {
      const problem = windowProblem({ from: from ? at(from) : null, until: until ? at(until) : null }, "UTC", now);
      expect(problem === null).toBe(allowed);
    },
  );

  test("refuses instants that do not exist", () => {
    expect(parseInstant("2027-02-29T00:00:00Z")).toBeNull();
    expect(parseInstant("2027-01-01T24:00:00Z")).toBeNull();
    expect(parseInstant("2027-01-01T00:00:00+25:00")).toBeNull();
    expect(parseInstant("2027-01-01T00:00:00.1239Z")).toEqual(at("2027-01-01T00:00:00.123Z"));
  });
});
