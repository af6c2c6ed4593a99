import { describe, expect, it } from "vitest";
import { formatPeriodReset } from "./periods.ts";

// The 22nd, a Sunday, in Berlin.
const start = new Date("2026-11-21T23:30:00Z");

describe("when a limit resets (docs/spec/portal.md, Consent)", () => {
  it.each([
    [{ period: "month", alignment: "calendar" }, "resets on the 1st, Berlin time"],
    [{ period: "week", alignment: "calendar" }, "resets on Mondays, Berlin time"],
    [{ period: "week", alignment: "consent" }, "resets on Sundays, Berlin time"],
    [{ period: "month", alignment: "consent" }, "resets on the 22nd of each month, Berlin time"],
    [{ period: "year", alignment: "consent" }, "resets each 22 November, Berlin time"],
  ] as const)("shows the reset of %j in the mandate's time zone", (rule, expected) => {
    expect(formatPeriodReset(rule, { timeZone: "Europe/Berlin", start, locale: "en-GB" })).toBe(expected);
  });

  it("says that in a shorter month the limit resets on the last day (docs/spec/payments.md, Limits and periods)", () => {
    const reset = formatPeriodReset(
      { period: "month", alignment: "consent" },
      { timeZone: "UTC", start: new Date("2026-01-31T12:00:00Z"), locale: "en-GB" },
    );
    expect(reset).toBe("resets on the 31st of each month, or on the last day of shorter months, UTC");
  });
});
