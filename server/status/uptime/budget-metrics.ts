import { gauge, type Metric } from "../../platform/metrics/exposition.ts";
import type { ComponentSummary } from "../overview/summarize-components.ts";

const states = ["operational", "degraded", "partial_outage", "major_outage", "maintenance", "unknown"] as const;

/** Component states and this month's error budgets. */
export const budgetMetrics = (summaries: readonly Pick<ComponentSummary, "key" | "state" | "budget">[]): Metric[] => {
  const budgets = summaries.flatMap(({ key, budget }) => (budget ? [{ labels: { component: key }, ...budget }] : []));
  return [
    gauge(
      "paygrant_component_state",
      "1 for the component's current state, 0 for the others.",
      summaries.flatMap(({ key, state }) =>
        states.map((each) => ({ labels: { component: key, state: each }, value: each === state ? 1 : 0 })),
      ),
    ),
    gauge(
      "paygrant_error_budget_allowed_seconds",
      "Downtime that the objective allows in this UTC month.",
      budgets.map(({ labels, allowed }) => ({ labels, value: allowed / 1000 })),
    ),
    gauge(
      "paygrant_error_budget_used_seconds",
      "Downtime of this UTC month.",
      budgets.map(({ labels, used }) => ({ labels, value: used / 1000 })),
    ),
    gauge(
      "paygrant_error_budget_burn_rate",
      "Burn rate of the last six hours: at 1, the budget lasts exactly a month. Absent if nothing was measured.",
      budgets.flatMap(({ labels, burnRate }) => (burnRate === null ? [] : [{ labels, value: burnRate }])),
    ),
  ];
};
