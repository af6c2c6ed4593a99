import { expect, test } from "vitest";
import { budgetOf, burnRate, describeForecast, forecastOf, policyOf } from "./budget.ts";
import { utcMonthOf } from "./utc-calendar.ts";

const minute = 60_000;
const hour = 60 * minute;
const november = utcMonthOf(Date.UTC(2026, 10, 1));

test("99.9% allows 43.2 minutes in 30 days", () => {
  expect(budgetOf({ down: 0 }, 9990, november)).toEqual({
    allowed: 43.2 * minute,
    used: 0,
    left: 43.2 * minute,
    isUsedUp: false,
  });
});

test("99.95% allows 22 minutes and 19.2 seconds in 31 days", () => {
  expect(budgetOf({ down: 0 }, 9995, utcMonthOf(Date.UTC(2026, 9, 1))).allowed).toBe(22 * minute + 19_200);
});

test("a budget is used up with its last millisecond, and then reliability comes first", () => {
  const last = budgetOf({ down: 43.2 * minute - 1 }, 9990, november);
  expect([last.left, policyOf(last)]).toEqual([1, "features"]);
  const none = budgetOf({ down: 43.2 * minute }, 9990, november);
  expect([none.left, policyOf(none)]).toEqual([0, "reliability_first"]);
  expect(budgetOf({ down: 60 * minute }, 9990, november)).toMatchObject({ used: 60 * minute, left: 0 });
});

test("a burn rate of 1 is what the objective allows; unmeasured time doesn't count", () => {
  expect(burnRate({ up: 999, down: 1 }, 9990)).toBe(1);
  expect(burnRate({ up: hour - 51_840, down: 51_840 }, 9990)).toBe(14.4);
  expect(burnRate({ up: 0, down: 0 }, 9990)).toBeNull();
});

const forecast = (rate: number | null, down: number, now = november.from + 10 * 24 * hour) =>
  forecastOf({ rate, budget: budgetOf({ down }, 9990, november), objective: 9990 }, { now, monthEnd: november.to });

const rateOf = (rate: string) => `Burn rate of the last 6 hours: ${rate} (at 1, the budget lasts exactly a month).`;
test.each([
  [0, 0, "No budget was used in the last 6 hours."],
  [null, 0, "Nothing was measured in the last 6 hours, so there is no burn rate."],
  [0.04, 0, `${rateOf("below 0.1")} The rest of the budget lasts until the end of the month.`],
  [1.39, 0, `${rateOf("1.3")} The rest of the budget lasts until the end of the month.`],
  [0.5, 42 * minute, `${rateOf("0.5")} At this rate, the rest of the budget is used up in 1 day.`],
  [10, 0, `${rateOf("10.0")} At this rate, the rest of the budget is used up in 3 days.`],
  [10, 30 * minute, `${rateOf("10.0")} At this rate, the rest of the budget is used up in 22 hours.`],
  [1000, 42 * minute, `${rateOf("1000.0")} At this rate, the rest of the budget is used up in 1 minute.`],
  [1000, 43 * minute, `${rateOf("1000.0")} At this rate, the rest of the budget is used up in less than a minute.`],
  [0, 44 * minute, "This month’s budget is used up, so reliability comes first until the next month."],
])("a burn rate of %s after a downtime of %d ms gives: %s", (rate, down, sentence) => {
  const now = november.from + (rate === 1.39 ? 20 : 10) * 24 * hour;
  expect(describeForecast(forecast(rate, down, now))).toBe(sentence);
});
