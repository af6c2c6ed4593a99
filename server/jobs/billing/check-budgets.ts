import { checkDueBudgets } from "../../billing/budgets/check-due-budgets.ts";
import type { Tick } from "../job.ts";

const batchSize = 20;

/** Fires budget alerts that the cost of a period has reached (docs/spec/billing.md, Budget alerts). */
export const checkBudgetsTick: Tick = {
  name: "check-budgets",
  intervalMilliseconds: 5_000,
  async isDue({ budgetCheckDueAt }, { businessClock }) {
    if (budgetCheckDueAt === null) return false;
    const until = await businessClock.dueUntil();
    return until !== null && budgetCheckDueAt <= until;
  },
  async run(deps) {
    const done = await checkDueBudgets(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
