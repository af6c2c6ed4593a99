import { expect, test } from "vitest";
import { renderMetrics } from "../../platform/metrics/exposition.ts";
import { budgetMetrics } from "./budget-metrics.ts";

const budget = {
  allowed: 2_592_000,
  used: 600_000,
  left: 1_992_000,
  isUsedUp: false,
  forecast: { kind: "unused" } as const,
};

test("reports error budgets and states by component (docs/spec/operations.md, Metrics and traces)", () => {
  const lines = renderMetrics(
    budgetMetrics([
      { key: "authorization_server", state: "degraded", budget: { ...budget, burnRate: 14.4 } },
      { key: "wallet_portal", state: "operational", budget: { ...budget, used: 0, burnRate: null } },
      { key: "sandbox", state: "unknown", budget: null },
    ]),
  ).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'paygrant_component_state{component="authorization_server",state="degraded"} 1',
      'paygrant_component_state{component="authorization_server",state="operational"} 0',
      'paygrant_component_state{component="sandbox",state="unknown"} 1',
      'paygrant_error_budget_allowed_seconds{component="authorization_server"} 2592',
      'paygrant_error_budget_used_seconds{component="authorization_server"} 600',
      'paygrant_error_budget_used_seconds{component="wallet_portal"} 0',
      'paygrant_error_budget_burn_rate{component="authorization_server"} 14.4',
    ]),
  );
  // There is no budget without an objective, and no rate without measurements.
  expect(lines.filter((line) => /budget.*"sandbox"|burn_rate.*"wallet_portal"/.test(line))).toEqual([]);
});
