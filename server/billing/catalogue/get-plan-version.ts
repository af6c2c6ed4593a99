import { findPlanInEffect, findPlanVersionRow } from "../../data/billing/catalogue/plans.ts";
import type { Sql } from "../../data/client.ts";
import { DomainError } from "../../kernel/errors.ts";
import { dayIn } from "../../kernel/time/calendar.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { type PlanVersion, toPlanVersion } from "./plan-version.ts";

type Wanted = {
  planId: string;
  /** null: the newest version in effect */
  version: number | null;
  at: BusinessTime;
};

/**
 * Also finds retired and hidden plans, and a requested version that isn't in effect yet. The caller must refuse these
 * if it doesn't accept them.
 * @throws DomainError plan_not_found.
 */
export const getPlanVersion = async (sql: Sql, { planId, version, at }: Wanted): Promise<PlanVersion> => {
  const row =
    version === null
      ? await findPlanInEffect(sql, planId, dayIn("UTC", at))
      : await findPlanVersionRow(sql, planId, version);
  if (row) return toPlanVersion(row);
  throw unknownPlanRefusal(version);
};

/** Also used for a hidden plan, so that the response doesn't reveal that the plan exists. */
export const unknownPlanRefusal = (version: number | null): DomainError =>
  new DomainError("not_found", {
    code: "plan_not_found",
    message:
      version === null
        ? "No plan with this ID is in effect. Use an ID from GET /billing/plans."
        : "This version of the plan doesn’t exist. Check the ID and the version.",
  });
