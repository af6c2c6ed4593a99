import type { Sql } from "../../../data/client.ts";
import type { BusinessTime } from "../../../kernel/time/clock.ts";
import { getPlanVersion } from "../../catalogue/get-plan-version.ts";
import type { PlanVersion } from "../../catalogue/plan-version.ts";

type Planned = { planId: string; planVersion: number; from: Date };

/** The plan of a period. A plan version never changes, so any time gives the same result. */
export const getPlanOf = (sql: Sql, { planId, planVersion, from }: Planned): Promise<PlanVersion> =>
  getPlanVersion(sql, { planId, version: planVersion, at: from as BusinessTime });
