import { describe, expect, test } from "vitest";
import { startOfDay } from "../../../kernel/time/calendar.ts";
import { monthsOf } from "./period-usage.ts";

const daysOf = (of: { from: string; to: string; firstDay: string; timeZone?: string }): string[] => {
  const { timeZone = "UTC", firstDay } = of;
  const [from, to] = [startOfDay(of.from, timeZone), startOfDay(of.to, timeZone)];
  if (!from || !to) throw new Error("no such day");
  const months = monthsOf({ period: { from, to }, firstDay, timeZone });
  return [...months.map((month) => month.from), ...months.slice(-1).map((month) => month.to)].map((at) =>
    new Date(at.getTime() + 12 * 3_600_000).toISOString().slice(0, 10),
  );
};

describe("the months of active mandates (docs/spec/billing.md, Events of a period)", () => {
  test.each([
    ["a month", "2027-02-28", "2027-03-31", ["2027-02-28", "2027-03-31"]],
    ["a quarter", "2027-02-28", "2027-05-31", ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]],
    ["a quarter from June", "2027-06-30", "2027-09-30", ["2027-06-30", "2027-07-31", "2027-08-31", "2027-09-30"]],
  ])("%s: if the subscription began on the 31st, shorter months start on their last day", (_, from, to, days) => {
    expect(daysOf({ from, to, firstDay: "2026-08-31" })).toEqual(days);
  });

  test("if a period begins within a month after a change of plan or interval, the month continues", () => {
    const firstDay = "2026-10-01";
    expect(daysOf({ from: "2026-10-15", to: "2026-11-01", firstDay })).toEqual(["2026-10-01", "2026-11-01"]);
    expect(daysOf({ from: "2026-10-15", to: "2027-01-15", firstDay })).toEqual([
      "2026-10-01",
      "2026-11-01",
      "2026-12-01",
      "2027-01-01",
      "2027-02-01",
    ]);
  });

  test("months start on a day of the subscription's time zone", () => {
    const days = ["2026-11-30", "2026-12-31", "2027-01-31"];
    const of = { from: "2026-11-30", to: "2027-01-31", firstDay: "2026-08-31" };
    expect(daysOf({ ...of, timeZone: "Asia/Tokyo" })).toEqual(days);
    expect(daysOf({ ...of, timeZone: "America/New_York" })).toEqual(days);
  });
});
