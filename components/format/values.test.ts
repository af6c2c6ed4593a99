import { describe, expect, it } from "vitest";
import { listed, moment, money, resetWords, untilWords, zoneName } from "./values.ts";

const reader = { locale: "en-GB", timeZone: "Europe/Berlin" };
const start = new Date("2026-11-21T23:30:00Z"); // the 22nd, a Sunday, in Berlin

describe("words of the consent page (docs/spec/portal.md, Consent)", () => {
  it.each([
    [{ period: "month", alignment: "calendar" }, "resets on the 1st, Berlin time"],
    [{ period: "week", alignment: "calendar" }, "resets on Mondays, Berlin time"],
    [{ period: "week", alignment: "consent" }, "resets on Sundays, Berlin time"],
    [{ period: "month", alignment: "consent" }, "resets on the 22nd of each month, Berlin time"],
    [{ period: "year", alignment: "consent" }, "resets each 22 November, Berlin time"],
  ] as const)("says when %j resets, in the mandate's own time zone", (rule, expected) => {
    expect(resetWords(rule, "Europe/Berlin", start)).toBe(expected);
  });

  it("says that month ends clamp (docs/spec/payments.md, Limits and periods)", () => {
    expect(resetWords({ period: "month", alignment: "consent" }, "UTC", new Date("2026-01-31T12:00:00Z"))).toBe(
      "resets on the 31st of each month or the month’s last day, UTC",
    );
  });

  it("says an end at local midnight as the day before, because ends are half-open", () => {
    expect(untilWords(new Date("2027-02-19T23:00:00Z"), reader)).toBe("the end of 19\u00a0February\u00a02027");
    expect(untilWords(new Date("2027-02-20T13:05:00Z"), reader)).toBe("20\u00a0Feb\u00a02027,\u00a014:05");
  });

  it("writes money with the currency's own digits for the reader's locale", () => {
    expect(money(6000, "EUR", { locale: "en-GB" })).toBe("€60.00");
    expect(money(6000, "JPY", { locale: "en-GB" })).toBe("JP¥6,000");
    expect(money(6000n, "KWD", { locale: "de-DE" })).toBe("6,000\u00a0KWD");
  });

  it("names zones, days and lists as a person would", () => {
    expect(zoneName("America/Sao_Paulo")).toBe("Sao Paulo time");
    expect(listed(["A", "B", "C"])).toBe("A, B and C");
    expect(moment(new Date("2026-11-21T08:12:00Z"), new Date("2026-11-21T10:00:00Z"), reader)).toBe(
      "Today,\u00a009:12",
    );
    expect(moment(new Date("2026-11-20T08:12:00Z"), new Date("2026-11-21T10:00:00Z"), reader)).toBe(
      "Yesterday,\u00a009:12",
    );
  });
});
