import { gauge, type Metric } from "../../platform/metrics/exposition.ts";
import type { ComponentSummary } from "../overview/summarize-components.ts";

const states = ["operational", "degraded", "partial_outage", "major_outage", "maintenance", "unknown"] as const;

/** Of the status page: how each component is, and what is left of this month's error budget. */
export const budgetMetrics = (told: readonly Pick<ComponentSummary, "key" | "state" | "budget">[]): Metric[] => {
  const budgets = told.flatMap(({ key, budget }) => (budget ? [{ labels: { component: key }, ...budget }] : []));
  return [
    gauge(
      "paygrant_component_state",
      "1 for the state that a component is in, 0 for the others.",
      told.flatMap(({ key, state }) =>
        states.map((each) => ({ labels: { component: key, state: each }, value: each === state ? 1 : 0 })),
      ),
    ),
    gauge(
      "paygrant_error_budget_allowed_seconds",
      "Downtime that this UTC month allows.",
      budgets.map(({ labels, allowed }) => ({ labels, value: allowed / 1000 })),
    ),
    gauge(
      "paygrant_error_budget_used_seconds",
      "Downtime of this UTC month.",
      budgets.map(({ labels, used }) => ({ labels, value: used / 1000 })),
    ),
    gauge(
      "paygrant_error_budget_burn_rate",
      "Of the last six hours: at 1 a whole month uses the whole budget. Absent where nothing was measured.",
      budgets.flatMap(({ labels, burnRate }) => (burnRate === null ? [] : [{ labels, value: burnRate }])),
    ),
  ];
};
