import { describe, expect, test } from "vitest";
import type { PublicPlan } from "#server/billing/catalogue/public-plan.wire.ts";
import { type BillingInterval, toMonthly, toYearly } from "#server/kernel/billing/interval-months.ts";
import { type MeterUsage, usageOfPlan } from "./usage-form.ts";

const planWith = (interval: BillingInterval): PublicPlan => ({
  id: "pro",
  version: 1,
  name: "Pro",
  effective_from: "2027-01-01",
  interval,
  currency: "EUR",
  currencies: ["EUR"],
  flat: 0,
  minimum: 0,
  maximum: null,
  trial_days: 0,
  prices: [
    { meter: "tokens_issued", model: "per_unit", unit: "1" },
    { meter: "successful_charges", model: "basis_points", rate: "29" },
  ],
});

describe("plans with different intervals are compared by month (docs/spec/billing.md, Pricing page)", () => {
  test.each<[BillingInterval, number]>([
    ["month", 1],
    ["quarter", 3],
    ["year", 12],
  ])("an estimate for one %s has the usage of %i months", (interval, months) => {
    const monthly = new Map<string, MeterUsage>([
      ["tokens_issued", 1_000],
      ["successful_charges", [{ amount: 2_500, count: 10 }]],
    ]);
    expect(usageOfPlan(planWith(interval), monthly)).toEqual({
      tokens_issued: 1_000 * months,
      successful_charges: [{ amount: 2_500, count: 10 * months }],
    });
  });

  test.each<[number, BillingInterval, number, number]>([
    [4_900, "month", 4_900, 58_800],
    [9_000, "quarter", 3_000, 36_000],
    [58_800, "year", 4_900, 58_800],
    [100, "quarter", 33, 400],
  ])("%i per %s is %i per month and %i per year", (amount, interval, monthly, yearly) => {
    expect([toMonthly(amount, interval), toYearly(amount, interval)]).toEqual([monthly, yearly]);
  });
});
