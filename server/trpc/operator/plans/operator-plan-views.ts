import type { PlanComparison } from "../../../billing/catalogue/compare-plan-versions.ts";
import type { CatalogueOverview } from "../../../billing/catalogue/list-catalogue.ts";
import type { Json } from "../../../kernel/text/json.ts";

type PlanState = "public" | "hidden" | "retired";

const stateOf = ({ isRetired, isPublic }: { isRetired: boolean; isPublic: boolean }): PlanState => {
  if (isRetired) return "retired";
  return isPublic ? "public" : "hidden";
};

export const toOperatorCatalogue = ({ plans, coupons, taxRates }: CatalogueOverview) => ({
  plans: plans.map((plan) => ({
    id: plan.id,
    name: plan.definition.name,
    interval: plan.definition.interval,
    currencies: Object.keys(plan.definition.currencies),
    version: plan.version,
    effectiveFrom: plan.effectiveFrom,
    inEffect: plan.inEffect,
    subscribers: plan.subscribers,
    state: stateOf(plan),
  })),
  coupons: coupons.map(({ id, version, definition }) => ({
    code: id,
    version,
    percent: definition.percent ?? null,
    amount:
      definition.amount === undefined || definition.currency === undefined
        ? null
        : { amount: definition.amount, currency: definition.currency },
    plans: definition.plans ?? null,
    meters: definition.meters ?? null,
    months: definition.duration_months ?? null,
  })),
  taxRates: taxRates.map(({ id, version, definition }) => ({
    key: id,
    version,
    category: definition.category,
    rate: definition.rate,
    behaviour: definition.behaviour,
  })),
});

/** Returns a text unchanged, and any other value as JSON. */
const textOf = (value: Json | undefined): string | null => {
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
};

export const toPlanComparison = ({ plan, versions, from, to, differences }: PlanComparison) => ({
  id: plan.id,
  name: String(plan.definition["name"]),
  state: stateOf(plan),
  inEffect: plan.inEffect,
  migratesTo: plan.migratesTo,
  subscribers: plan.subscribers,
  versions: versions.map(({ version, effectiveFrom, isPublic, appliedAt, subscribers }) => ({
    version,
    effectiveFrom,
    isPublic,
    appliedAt: appliedAt.toISOString(),
    subscribers,
  })),
  from,
  to,
  differences: differences.map((one) => ({ path: one.path, from: textOf(one.from), to: textOf(one.to) })),
});

export type OperatorCatalogue = ReturnType<typeof toOperatorCatalogue>;
export type OperatorPlanComparison = ReturnType<typeof toPlanComparison>;
