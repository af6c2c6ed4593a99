import type { Board } from "../../status/rules/board.ts";
import { components } from "../../status/rules/components.ts";
import { toErrorBudgets } from "../status/status-views.ts";

/**
 * The figures of GET /status/v1/error-budgets. Also the open alerts and the alerts that started in the last 30 days,
 * which aren't public.
 */
export const toBudgets = (source: { board: Board; now: Date; statusUrl: string }) => {
  const { board, now } = source;
  const { month, policy, components: budgets } = toErrorBudgets(source);
  const since = now.getTime() - 30 * 24 * 3600 * 1000;
  return {
    month,
    policy,
    budgets,
    alerts: board.alerts
      .filter(({ startedAt, endedAt }) => endedAt === null || startedAt.getTime() >= since)
      .map(({ id, component, rule, burnRate, startedAt, endedAt }) => ({
        id,
        rule,
        burnRate: Math.round(burnRate * 10) / 10,
        component: components.find(({ key }) => key === component)?.name ?? component,
        startedAt: startedAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
      })),
  };
};

export type OperatorBudgets = ReturnType<typeof toBudgets>;
