import { findPlanInEffect, findPublicPlans } from "../../data/billing/catalogue/plans.ts";
import type { Deps } from "../../deps/deps.ts";
import { fieldRefusal } from "../../kernel/errors.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { dayIn } from "../../kernel/time/calendar.ts";
import { type PlanVersion, toPlanVersion } from "./plan-version.ts";

type Wanted = PageRequest & {
  /** only plans with prices in this currency; null: all */
  currency: string | null;
};

/**
 * The newest version in effect of each public plan that accepts subscriptions, ordered by id.
 * @throws DomainError invalid_request for a cursor that isn't in this list.
 */
export const listPublicPlans = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { currency, limit, startingAfter, endingBefore }: Wanted,
): Promise<{ plans: PlanVersion[]; hasMore: boolean }> => {
  const day = dayIn("UTC", await businessClock.now());
  for (const [name, id] of [
    ["starting_after", startingAfter],
    ["ending_before", endingBefore],
  ] as const) {
    if (id === null) continue;
    const plan = await findPlanInEffect(db.sql, id, day);
    const isListed =
      plan?.isPublic && !plan.isRetired && (currency === null || toPlanVersion(plan).terms.currencies.has(currency));
    if (!isListed) throw fieldRefusal(`#${name}`, "is not the ID of a plan in this list");
  }
  const rows = await findPublicPlans(db.sql, { day, currency, after: startingAfter, before: endingBefore, limit });
  const plans = rows.slice(0, limit).map(toPlanVersion);
  return { plans: endingBefore === null ? plans : plans.toReversed(), hasMore: rows.length > limit };
};
