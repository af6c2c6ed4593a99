import fc from "fast-check";
import { expect, test } from "vitest";
import { budgetOf, burnRate, describeForecast, forecastOf, policyOf, summarizeBudget } from "./budget.ts";
import { utcMonthOf } from "./utc-calendar.ts";

const month = utcMonthOf(Date.UTC(2026, 10, 1));
const sixHours = 6 * 3_600_000;

const world = fc.record({
  now: fc.integer({ min: month.from, max: month.to - 1 }),
  down: fc.integer({ min: 0, max: 3 * sixHours }),
  recent: fc.record({ up: fc.integer({ min: 0, max: sixHours }), down: fc.integer({ min: 0, max: sixHours }) }),
  objective: fc.constantFrom(9_900, 9_950, 9_990, 9_995),
});

test("all texts about a budget agree with its numbers", () => {
  fc.assert(
    fc.property(world, ({ now, down, recent, objective }) => {
      const budget = budgetOf({ down }, objective, month);
      const rate = burnRate(recent, objective);
      const forecast = forecastOf({ rate, budget, objective }, { now, monthEnd: month.to });
      const [sentences, summary] = [describeForecast(forecast), summarizeBudget(budget, forecast)];

      // The same result computed in another way: the expected use by the end of the month.
      const used = (rate ?? 0) * ((month.to - now) / (month.to - month.from)) * budget.allowed;
      const runsOut = !budget.isUsedUp && used > budget.left + 1;
      const lasts = !budget.isUsedUp && rate !== null && rate > 0 && used < budget.left - 1;

      const saysLasts = /lasts until the end of the month/.test(sentences);
      const saysRunsOut = /At this rate, the rest of the budget is used up in/.test(sentences);
      expect([saysLasts && saysRunsOut, /too fast/.test(sentences + summary)]).toEqual([false, false]);
      if (runsOut) expect([saysRunsOut, saysLasts]).toEqual([true, false]);
      if (lasts) expect([saysRunsOut, saysLasts]).toEqual([false, true]);
      expect(/; at the current rate/.test(summary)).toBe(saysRunsOut);
      expect(/used up: reliability/.test(summary)).toBe(policyOf(budget) === "reliability_first");
      expect(/min left/.test(summary)).toBe(policyOf(budget) === "features");
      expect(/^Burn rate/.test(sentences)).toBe(!budget.isUsedUp && rate !== null && rate > 0);
    }),
  );
});
