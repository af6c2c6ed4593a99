import { expect, test } from "vitest";
import { budgetOf, burnRate, describeBurn, policyOf } from "./budget.ts";
import { utcMonthOf } from "./utc-calendar.ts";

const minute = 60_000;
const hour = 60 * minute;
const november = utcMonthOf(Date.UTC(2026, 10, 1));

test("99.9 % leave 43.2 minutes of 30 days", () => {
  expect(budgetOf({ down: 0 }, 9990, november)).toEqual({
    ...{ allowed: 43.2 * minute, used: 0, left: 43.2 * minute, isUsedUp: false },
  });
});

test("99.95 % leave 22 minutes and 19.2 seconds of 31 days", () => {
  expect(budgetOf({ down: 0 }, 9995, utcMonthOf(Date.UTC(2026, 9, 1))).allowed).toBe(22 * minute + 19_200);
});

test("a budget is used up with its last millisecond, and then reliability comes first", () => {
  const last = budgetOf({ down: 43.2 * minute - 1 }, 9990, november);
  expect([last.left, policyOf(last)]).toEqual([1, "features"]);
  const none = budgetOf({ down: 43.2 * minute }, 9990, november);
  expect([none.left, policyOf(none)]).toEqual([0, "reliability_first"]);
  expect(budgetOf({ down: 60 * minute }, 9990, november)).toMatchObject({ used: 60 * minute, left: 0 });
});

test("a burn rate of 1 is what the objective allows; unmeasured time is no part of it", () => {
  expect(burnRate({ up: 999, down: 1 }, 9990)).toBe(1);
  expect(burnRate({ up: hour - 51_840, down: 51_840 }, 9990)).toBe(14.4);
  expect(burnRate({ up: 0, down: 0 }, 9990)).toBeNull();
});

const words = (rate: number | null, down: number, now = november.from + 10 * 24 * hour) =>
  describeBurn({ rate, budget: budgetOf({ down }, 9990, november), objective: 9990 }, { now, monthEnd: november.to });

test.each([
  [0, 0, "No budget is being used."],
  [null, 0, "Nothing was measured, so nothing can be said of the budget."],
  [1, 0, "At this rate the budget lasts until the end of the month."],
  [10, 0, "At this rate what is left of the budget is used up in 3 days."],
  [10, 30 * minute, "At this rate what is left of the budget is used up in 22 hours."],
  [1000, 42 * minute, "At this rate what is left of the budget is used up in 1 minute."],
  [1000, 43 * minute, "At this rate what is left of the budget is used up in less than a minute."],
  [0, 44 * minute, "The budget of this month is used up: reliability comes first until it recovers."],
])("a rate of %s after %d ms down means: %s%s", (rate, down, sentence) => {
  expect(words(rate, down)).toBe(sentence);
});
