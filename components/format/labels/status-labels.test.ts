import { expect, test } from "vitest";
import { describeErrorBudgetPolicy } from "./status-labels.ts";

test("the error budget policy names the components whose budget is used up (docs/spec/status.md, Error budgets)", () => {
  expect(describeErrorBudgetPolicy([])).toBeNull();
  expect(describeErrorBudgetPolicy(["Wallet portal", "Billing engine"])).toMatch(
    /^Reliability first: .* Wallet portal and Billing engine/,
  );
});
