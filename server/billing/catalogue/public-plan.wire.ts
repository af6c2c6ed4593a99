import { z } from "zod";
import type { PlanVersion } from "./plan-version.ts";

const amount = z.int().describe("In the currency's minor unit");
const decimal = z.string().describe("Decimal in minor units, or in basis points for a rate");

const tierSchema = z.object({
  up_to: z.int().optional().describe("Inclusive; absent in the last tier"),
  unit: decimal.optional(),
  rate: decimal.optional(),
  size: z.int().optional(),
  amount: amount.optional(),
  flat: amount.optional(),
});

const planPriceSchema = z.object({
  meter: z.string(),
  model: z.enum([
    "per_unit",
    "graduated",
    "volume",
    "package",
    "graduated_package",
    "basis_points",
    "graduated_basis_points",
  ]),
  unit: decimal.optional(),
  size: z.int().optional(),
  amount: amount.optional(),
  rate: decimal.optional(),
  min: decimal.optional().describe("Per charge"),
  max: decimal.optional().describe("Per charge"),
  tiers: z.array(tierSchema).optional(),
  free_units: z.int().optional(),
  flat_at_zero: z.boolean().optional(),
});

export const publicPlanSchema = z.object({
  id: z.string(),
  version: z.int(),
  name: z.string(),
  effective_from: z.string().describe("A day in UTC"),
  interval: z.enum(["month", "quarter", "year"]),
  currency: z.string().describe("Currency of the amounts: the requested currency, or the plan's first currency"),
  currencies: z.array(z.string()).describe("All currencies that the plan prices"),
  flat: amount,
  minimum: amount,
  maximum: amount.nullable(),
  trial_days: z.int(),
  prices: z.array(planPriceSchema),
});

export type PublicPlan = z.infer<typeof publicPlanSchema>;

/** @param currency null: the plan's first currency. @throws Error if the plan doesn't price it. */
export const toPublicPlan = (plan: PlanVersion, currency: string | null): PublicPlan => {
  const { currencies, interval, trial_days: trialDays = 0 } = plan.definition;
  const codes = Object.keys(currencies);
  const code = currency ?? codes[0] ?? "";
  const terms = currencies[code];
  if (!terms) throw new Error(`plan ${plan.id} has no prices in ${code}`);
  const { flat = 0, minimum = 0, maximum = null, prices = {} } = terms;
  return {
    id: plan.id,
    version: plan.version,
    name: plan.name,
    effective_from: plan.effectiveFrom,
    interval,
    currency: code,
    currencies: codes,
    flat,
    minimum,
    maximum,
    trial_days: trialDays,
    prices: Object.entries(prices).map(([meter, price]) => ({ meter, ...price })),
  };
};
