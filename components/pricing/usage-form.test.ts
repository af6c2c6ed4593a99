import { describe, expect, test } from "vitest";
import type { PublicPlan } from "#server/billing/catalogue/public-plan.wire.ts";
import { type BillingInterval, toMonthly, toYearly } from "#server/kernel/billing/interval-months.ts";
import { firstAverage, type MeterUsage, readUsageForm, usageOfPlan } from "./usage-form.ts";

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

describe("the calculator reads numbers with the reader's separators", () => {
  const read = (tokens: string, average = "25.00", currency = "EUR") =>
    readUsageForm({ counts: { tokens_issued: tokens }, average }, currency, "en-GB");

  test.each([["1.5"], ["1,5"], ["1.000"], ["many"], ["1,000,000,001"], ["-1"]])("refuses %j tokens", (tokens) => {
    const message = "Enter a whole number of at most 1,000,000,000.";
    expect(read(tokens)).toEqual({ problem: { field: "tokens_issued", message } });
  });

  test.each([
    ["", 0],
    ["1,000", 1_000],
    ["1 000 000 000", 1_000_000_000],
  ])("reads %j as %i tokens", (tokens, count) => {
    expect(read(tokens)).toEqual({ usage: new Map([["tokens_issued", count]]) });
  });

  test.each(["EUR", "JPY", "KWD"])("the initial average charge is a valid amount in %s", (currency) => {
    expect(read("1", firstAverage(currency, "en-GB"), currency)).toHaveProperty("usage");
    const message = `Enter an amount, like ${firstAverage(currency, "en-GB")}.`;
    expect(read("1", "x", currency)).toEqual({ problem: { field: "average", message } });
  });
});
