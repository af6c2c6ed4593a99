import { applyCatalogue } from "#server/billing/catalogue/apply-catalogue.ts";
import type { Deps } from "#server/deps/deps.ts";
import { newId } from "#server/kernel/ids.ts";
import { dayIn } from "#server/kernel/time/calendar.ts";

const catalogueFrom = (day: string): string => `catalogue: 1
plans:
  free:
    name: Free
    effective_from: ${day}
    interval: month
    currencies:
      EUR: &free
        prices:
          tokens_issued: {model: per_unit, unit: "1", free_units: 1000}
          verifications: {model: per_unit, unit: "0.5", free_units: 1000}
          successful_charges: {model: basis_points, rate: "50", min: "10"}
      USD: *free
  pro:
    name: Pro
    effective_from: ${day}
    interval: month
    trial_days: 14
    currencies:
      EUR: &pro
        flat: 4900
        minimum: 10000
        prices:
          tokens_issued: {model: graduated, tiers: [{up_to: 10000, unit: "0"}, {unit: "0.8"}]}
          verifications: {model: graduated, tiers: [{up_to: 10000, unit: "0"}, {unit: "0.3"}]}
          active_mandates: {model: per_unit, unit: "10", free_units: 100}
          step_ups: {model: per_unit, unit: "4"}
          webhooks_delivered: {model: package, size: 1000, amount: 50, free_units: 10000}
          successful_charges: {model: basis_points, rate: "29", min: "5", max: "1200"}
      USD: *pro
  scale:
    name: Scale
    effective_from: ${day}
    interval: month
    currencies:
      EUR: &scale
        flat: 49900
        prices:
          tokens_issued: {model: volume, tiers: [{up_to: 1000000, unit: "0.4"}, {unit: "0.25"}]}
          verifications: {model: volume, tiers: [{up_to: 1000000, unit: "0.2"}, {unit: "0.1"}]}
          active_mandates: {model: per_unit, unit: "5", free_units: 1000}
          step_ups: {model: per_unit, unit: "3"}
          successful_charges: {model: graduated_basis_points, tiers: [{up_to: 100000000, rate: "20"}, {rate: "12.5"}]}
      USD: *scale
coupons:
  LAUNCH: {percent: "20", plans: [pro, scale], duration_months: 3}
tax_rates:
  AT: {category: S, rate: "20", behaviour: exclusive}
  DE: {category: S, rate: "19", behaviour: exclusive}
  FR: {category: S, rate: "20", behaviour: exclusive}
  NL: {category: S, rate: "21", behaviour: exclusive}
  EU-REVERSE-CHARGE: {category: AE, rate: "0", behaviour: exclusive}
`;

/** The plans Free, Pro and Scale, in effect from the first day of the demo. */
export const seedPlans = async (deps: Pick<Deps, "db" | "businessClock">): Promise<void> => {
  const applied = await applyCatalogue(deps, {
    text: catalogueFrom(dayIn("UTC", await deps.businessClock.now())),
    isDryRun: false,
    actor: { kind: "system", id: "demo" },
    requestId: newId("req"),
  });
  if (applied.outcome === "refused") throw new Error(`demo plans: ${JSON.stringify(applied.problems)}`);
};
