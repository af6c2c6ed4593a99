import { findNewestCatalogue } from "../../data/billing/catalogue/catalogue-changes.ts";
import { listPlanOverview, type PlanOverviewRow } from "../../data/billing/catalogue/plan-overview.ts";
import type { Deps } from "../../deps/deps.ts";
import { dayIn } from "../../kernel/time/calendar.ts";
import type { CouponDefinition } from "../rules/plans/coupon.wire.ts";
import type { PlanDefinition } from "../rules/plans/plan.wire.ts";
import type { TaxRateDefinition } from "../rules/plans/tax-rate.wire.ts";

type Versioned<Definition> = { id: string; version: number; definition: Definition };

export type CatalogueOverview = {
  plans: readonly (PlanOverviewRow & { definition: PlanDefinition })[];
  coupons: readonly Versioned<CouponDefinition>[];
  taxRates: readonly Versioned<TaxRateDefinition>[];
};

/** The newest version of every catalogue entry, for operators. */
export const listCatalogue = async ({
  db,
  businessClock,
}: Pick<Deps, "db" | "businessClock">): Promise<CatalogueOverview> => {
  const day = dayIn("UTC", await businessClock.now());
  const [plans, newest] = await Promise.all([listPlanOverview(db.sql, day), findNewestCatalogue(db.sql)]);
  const ofKind = <Definition>(wanted: "coupon" | "tax_rate"): Versioned<Definition>[] =>
    newest
      .filter(({ kind }) => kind === wanted)
      .map(({ id, version, definition }) => ({ id, version, definition: definition as Definition }));
  return {
    // Validated before they were stored.
    plans: plans.map((plan) => ({
      ...plan,
      definition: plan.definition as PlanOverviewRow["definition"] & PlanDefinition,
    })),
    coupons: ofKind<CouponDefinition>("coupon"),
    taxRates: ofKind<TaxRateDefinition>("tax_rate"),
  };
};
