import type { PlanVersionRow } from "../../data/billing/catalogue/plans.ts";
import type { PlanDefinition } from "../rules/plans/plan.wire.ts";
import type { PlanTerms } from "../rules/plans/terms.ts";
import { toPlanTerms } from "../rules/plans/to-plan-terms.ts";

/** One version of a plan. It never changes, except for `isRetired` and `migratesTo`, which belong to the plan. */
export type PlanVersion = {
  id: string;
  version: number;
  name: string;
  /** a day of the business clock, in UTC */
  effectiveFrom: string;
  isPublic: boolean;
  /** accepts no new subscriptions */
  isRetired: boolean;
  /** subscriptions on an earlier version move to these versions at the start of their next period; ascending */
  migratesTo: readonly number[];
  definition: PlanDefinition;
  terms: PlanTerms;
};

export const toPlanVersion = ({ hash: _hash, appliedAt: _at, ...row }: PlanVersionRow): PlanVersion => {
  // Validated before it was stored.
  const definition = row.definition as PlanDefinition;
  return { ...row, name: definition.name, definition, terms: toPlanTerms(definition) };
};
