import { checkDueBudgets } from "../../billing/budgets/check-due-budgets.ts";
import { isBusinessDue } from "../business-due.ts";
import type { Tick } from "../job.ts";

const batchSize = 20;

/** Fires budget alerts that the cost of a period has reached (docs/spec/billing.md, Budget alerts). */
export const checkBudgetsTick: Tick = {
  name: "check-budgets",
  intervalMilliseconds: 5_000,
  isDue: ({ budgetCheckDueAt }, deps) => isBusinessDue(budgetCheckDueAt, deps),
  async run(deps) {
    const done = await checkDueBudgets(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
