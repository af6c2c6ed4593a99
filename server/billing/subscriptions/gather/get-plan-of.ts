import type { Sql } from "../../../data/client.ts";
import type { BusinessTime } from "../../../kernel/time/clock.ts";
import { getPlanVersion } from "../../catalogue/get-plan-version.ts";
import type { PlanVersion } from "../../catalogue/plan-version.ts";

type Planned = { planId: string; planVersion: number; from: Date };

/** The plan version of a period. A stored version never changes, so the result doesn't depend on `at`. */
export const getPlanOf = (sql: Sql, { planId, planVersion, from }: Planned): Promise<PlanVersion> =>
  getPlanVersion(sql, { planId, version: planVersion, at: from as BusinessTime });
