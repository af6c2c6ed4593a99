import type { JsonObject } from "../../../kernel/text/json.ts";
import { type Sql, statement } from "../../client.ts";

/** One version of a plan, with the flags of its plan. */
export type PlanVersionRow = {
  id: string;
  version: number;
  /** a day of the business clock, in UTC: `2027-01-01` */
  effectiveFrom: string;
  isPublic: boolean;
  /** the plan accepts no new subscriptions */
  isRetired: boolean;
  /** the versions to which subscriptions on earlier versions move at the start of their next period; ascending */
  migratesTo: number[];
  hash: string;
  definition: JsonObject;
  appliedAt: Date;
};

/** SQL: the versions to which subscriptions of plan `p` move. */
export const migrationsOfPlan =
  "ARRAY(SELECT m.version FROM billing_plan_migration m WHERE m.plan_id = p.id ORDER BY 1)";

const columns = `v.plan_id AS id, v.version, v.effective_from::text AS "effectiveFrom", v.is_public AS "isPublic",
  p.retired AS "isRetired", ${migrationsOfPlan} AS "migratesTo", v.hash, v.definition, v.applied_at AS "appliedAt"`;
const versions = "billing_plan p JOIN billing_plan_version v ON v.plan_id = p.id";

const findVersion = statement<PlanVersionRow>(
  "find_plan_version",
  `SELECT ${columns} FROM ${versions} WHERE p.id = $1 AND v.version = $2::int`,
);
const findInEffect = statement<PlanVersionRow>(
  "find_plan_in_effect",
  `SELECT ${columns} FROM ${versions} WHERE p.id = $1 AND v.effective_from <= $2::date ORDER BY v.version DESC LIMIT 1`,
);

export const findPlanVersionRow = async (sql: Sql, planId: string, version: number): Promise<PlanVersionRow | null> =>
  (await sql.query(findVersion, [planId, version]))[0] ?? null;

/** The newest version that is in effect on this day. */
export const findPlanInEffect = async (sql: Sql, planId: string, day: string): Promise<PlanVersionRow | null> =>
  (await sql.query(findInEffect, [planId, day]))[0] ?? null;

type PublicPlans = {
  day: string;
  /** null: all plans */
  currency: string | null;
  after: string | null;
  before: string | null;
  limit: number;
};

const publicPlans = `FROM billing_plan p CROSS JOIN LATERAL (
    SELECT * FROM billing_plan_version e WHERE e.plan_id = p.id AND e.effective_from <= $1::date
     ORDER BY e.version DESC LIMIT 1) v
  WHERE NOT p.retired AND v.is_public AND ($2::text IS NULL OR v.definition -> 'currencies' -> $2 IS NOT NULL)`;
const listForward = statement<PlanVersionRow>(
  "list_public_plans",
  `SELECT ${columns} ${publicPlans} AND ($3::text IS NULL OR p.id > $3 COLLATE "C") ORDER BY p.id LIMIT $4::int`,
);
const listBackward = statement<PlanVersionRow>(
  "list_public_plans_before",
  `SELECT ${columns} ${publicPlans} AND p.id < $3 COLLATE "C" ORDER BY p.id DESC LIMIT $4::int`,
);

/**
 * The newest version in effect of each public plan that accepts subscriptions, by id. A page before a plan is in the
 * opposite order. Returns `limit` + 1 rows if there are more.
 */
export const findPublicPlans = (
  sql: Sql,
  { day, currency, after, before, limit }: PublicPlans,
): Promise<PlanVersionRow[]> =>
  sql.query(before === null ? listForward : listBackward, [day, currency, before ?? after, limit + 1]);

const findName = statement<{ name: string }>(
  "find_plan_name",
  "SELECT definition ->> 'name' AS name FROM billing_plan_version WHERE plan_id = $1 AND version = $2::int",
);

/** The plan's name, which people read instead of its id. @returns the id if there is no such version. */
export const findPlanName = async (sql: Sql, { id, version }: { id: string; version: number }): Promise<string> =>
  (await sql.query(findName, [id, version]))[0]?.name ?? id;

const listNames = statement<{ id: string; name: string }>(
  "list_plan_names",
  `SELECT DISTINCT ON (plan_id) plan_id AS id, definition ->> 'name' AS name FROM billing_plan_version
    ORDER BY plan_id, version DESC`,
);

/** The name of each plan's newest version, by the plan's id. */
export const listPlanNames = async (sql: Sql): Promise<Map<string, string>> =>
  new Map((await sql.query(listNames, [])).map(({ id, name }) => [id, name]));
