import {
  listPlanHistory,
  listPlanOverview,
  type PlanHistoryRow,
  type PlanOverviewRow,
} from "../../data/billing/catalogue/plan-overview.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { dayIn } from "../../kernel/time/calendar.ts";
import { type DefinitionChange, diffDefinitions } from "../rules/catalogue/diff-definitions.ts";

type Wanted = {
  planId: string;
  /** null: the version before `to` */
  from: number | null;
  /** null: the newest version */
  to: number | null;
};

export type PlanComparison = {
  plan: PlanOverviewRow;
  /** newest first */
  versions: readonly PlanHistoryRow[];
  /** null if `to` is the first version, because there is no earlier version */
  from: number | null;
  to: number;
  differences: readonly DefinitionChange[];
};

/** The console shows at most this many versions. */
const maxVersions = 200;

/** The versions of a plan, and the differences between two of them. @throws DomainError plan_not_found. */
export const comparePlanVersions = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  wanted: Wanted,
): Promise<PlanComparison> => {
  const day = dayIn("UTC", await businessClock.now());
  const [plans, versions] = await Promise.all([
    listPlanOverview(db.sql, day),
    listPlanHistory(db.sql, wanted.planId, maxVersions),
  ]);
  const plan = plans.find(({ id }) => id === wanted.planId);
  const to = wanted.to ?? versions[0]?.version ?? 0;
  const from = wanted.from ?? (to > 1 ? to - 1 : null);
  const definitionOf = (version: number) => versions.find((one) => one.version === version)?.definition;
  const [before, after] = [from === null ? {} : definitionOf(from), definitionOf(to)];
  if (!plan || !before || !after) {
    throw new DomainError("not_found", { code: "plan_not_found", message: "This plan or version doesn’t exist." });
  }
  return { plan, versions, from, to, differences: diffDefinitions(before, after) };
};
