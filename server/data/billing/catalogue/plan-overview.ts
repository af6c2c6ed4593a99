import type { JsonObject } from "../../../kernel/text/json.ts";
import { type Sql, statement } from "../../client.ts";

/** The newest version of a plan, with figures for operators. */
export type PlanOverviewRow = {
  id: string;
  version: number;
  definition: JsonObject;
  effectiveFrom: string;
  isPublic: boolean;
  isRetired: boolean;
  /**
   * the version to which subscriptions move next: of the versions to which they can move, the newest one in effect or,
   * if none is in effect yet, the first one; null: they don't move
   */
  migratesTo: number | null;
  /** the newest version in effect; null: none yet */
  inEffect: number | null;
  /** current subscriptions to any version */
  subscribers: number;
};

const list = statement<PlanOverviewRow>(
  "list_plan_overview",
  `SELECT p.id, n.version, n.definition, n.effective_from::text AS "effectiveFrom", n.is_public AS "isPublic",
          p.retired AS "isRetired",
          (SELECT coalesce(max(m.version) FILTER (WHERE e.effective_from <= $1::date), min(m.version))
             FROM billing_plan_migration m JOIN billing_plan_version e USING (plan_id, version)
            WHERE m.plan_id = p.id) AS "migratesTo",
          (SELECT max(e.version) FROM billing_plan_version e
            WHERE e.plan_id = p.id AND e.effective_from <= $1::date) AS "inEffect",
          (SELECT count(*)::int FROM billing_subscription s
            WHERE s.plan_id = p.id AND s.ended_at IS NULL) AS subscribers
     FROM billing_plan p CROSS JOIN LATERAL (
       SELECT * FROM billing_plan_version v WHERE v.plan_id = p.id ORDER BY v.version DESC LIMIT 1) n
    ORDER BY p.retired, p.id`,
);

/** All plans: those that accept subscriptions first, by id. @param day of the business clock */
export const listPlanOverview = (sql: Sql, day: string): Promise<PlanOverviewRow[]> => sql.query(list, [day]);

export type PlanHistoryRow = {
  version: number;
  definition: JsonObject;
  effectiveFrom: string;
  isPublic: boolean;
  appliedAt: Date;
  subscribers: number;
};

const history = statement<PlanHistoryRow>(
  "list_plan_history",
  `SELECT v.version, v.definition, v.effective_from::text AS "effectiveFrom", v.is_public AS "isPublic",
          v.applied_at AS "appliedAt",
          (SELECT count(*)::int FROM billing_subscription s
            WHERE s.plan_id = v.plan_id AND s.plan_version = v.version AND s.ended_at IS NULL) AS subscribers
     FROM billing_plan_version v WHERE v.plan_id = $1 ORDER BY v.version DESC LIMIT $2::int`,
);

/** Newest first. */
export const listPlanHistory = (sql: Sql, planId: string, limit: number): Promise<PlanHistoryRow[]> =>
  sql.query(history, [planId, limit]);
