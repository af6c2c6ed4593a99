import type { NewestVersion } from "../../../billing/rules/catalogue/decide-changes.ts";
import type { JsonObject } from "../../../kernel/text/json.ts";
import { type Sql, statement } from "../../client.ts";
import { migrationsOfPlan } from "./plans.ts";

const lock = statement<never>(
  "lock_catalogue",
  "SELECT pg_advisory_xact_lock(hashtextextended('paygrant.billing_catalogue', 0))::text",
);

/** Until the end of the transaction, no other transaction changes the catalogue. */
export const lockCatalogue = async (sql: Sql): Promise<void> => {
  await sql.query(lock, []);
};

const findNewest = statement<NewestVersion>(
  "find_newest_catalogue",
  `SELECT kind, id, version, hash, definition, "isRetired", "migratesTo" FROM (
     (SELECT DISTINCT ON (v.plan_id) 1 AS place, 'plan' AS kind, v.plan_id AS id, v.version, v.hash, v.definition, p.retired AS "isRetired",
             ${migrationsOfPlan} AS "migratesTo"
        FROM billing_plan_version v JOIN billing_plan p ON p.id = v.plan_id ORDER BY v.plan_id, v.version DESC)
     UNION ALL
     (SELECT DISTINCT ON (code) 2, 'coupon', code, version, hash, definition, false, '{}'
        FROM billing_coupon_version ORDER BY code, version DESC)
     UNION ALL
     (SELECT DISTINCT ON (key) 3, 'tax_rate', key, version, hash, definition, false, '{}'
        FROM billing_tax_rate_version ORDER BY key, version DESC)) c
   ORDER BY place, id`,
);

/** The newest version of everything in the catalogue, including plans that aren't in effect yet: plans first, by id. */
export const findNewestCatalogue = (sql: Sql): Promise<NewestVersion[]> => sql.query(findNewest, []);

export type NewVersion = {
  id: string;
  version: number;
  hash: string;
  definition: JsonObject;
  appliedAt: Date;
};

const addPlan = statement<never>("add_plan", "INSERT INTO billing_plan (id) VALUES ($1) ON CONFLICT DO NOTHING");
const addPlanVersion = statement<never>(
  "add_plan_version",
  `INSERT INTO billing_plan_version (plan_id, version, hash, definition, applied_at, effective_from, is_public)
   VALUES ($1, $2::int, $3, $4::json, $5::timestamptz, $6::date, $7::boolean)`,
);
const addCouponVersion = statement<never>(
  "add_coupon_version",
  `INSERT INTO billing_coupon_version (code, version, hash, definition, applied_at)
   VALUES ($1, $2::int, $3, $4::json, $5::timestamptz)`,
);
const addTaxRateVersion = statement<never>(
  "add_tax_rate_version",
  `INSERT INTO billing_tax_rate_version (key, version, hash, definition, applied_at)
   VALUES ($1, $2::int, $3, $4::json, $5::timestamptz)`,
);

const valuesOf = ({ id, version, hash, definition, appliedAt }: NewVersion) => [
  id,
  version,
  hash,
  JSON.stringify(definition),
  appliedAt,
];

export const insertPlanVersion = async (
  sql: Sql,
  version: NewVersion & { effectiveFrom: string; isPublic: boolean },
): Promise<void> => {
  await sql.query(addPlan, [version.id]);
  await sql.query(addPlanVersion, [...valuesOf(version), version.effectiveFrom, version.isPublic]);
};

export const insertCouponVersion = async (sql: Sql, version: NewVersion): Promise<void> => {
  await sql.query(addCouponVersion, valuesOf(version));
};

export const insertTaxRateVersion = async (sql: Sql, version: NewVersion): Promise<void> => {
  await sql.query(addTaxRateVersion, valuesOf(version));
};

const setRetired = statement<never>("set_plan_retired", "UPDATE billing_plan SET retired = $2::boolean WHERE id = $1");
const setMigrations = statement<never>(
  "set_plan_migrations",
  `WITH ended AS (DELETE FROM billing_plan_migration WHERE plan_id = $1 AND version <> ALL ($2::int[]))
   INSERT INTO billing_plan_migration (plan_id, version) SELECT $1, unnest($2::int[]) ON CONFLICT DO NOTHING`,
);

export const setPlanFlags = async (
  sql: Sql,
  { id, isRetired, migratesTo }: { id: string; isRetired: boolean; migratesTo: readonly number[] },
): Promise<void> => {
  await sql.query(setRetired, [id, isRetired]);
  await sql.query(setMigrations, [id, migratesTo]);
};
