import { listAppliedMigrations } from "../data/environment.ts";
import { listMigrationNames } from "../data/migration-files.ts";
import type { Deps } from "../deps.ts";

export type Readiness = { database: boolean; keys: boolean; migrations: boolean };

/** What this code expects; the files of a running process don't change. */
let expectedMigrations: Promise<string[]> | undefined;

/** Whether this process can serve: each answer is found out anew. */
export const checkReadiness = async (deps: Pick<Deps, "db" | "keys">): Promise<Readiness> => {
  expectedMigrations ??= listMigrationNames();
  const [expected, applied] = await Promise.all([expectedMigrations, listAppliedMigrations(deps.db).catch(() => null)]);
  return {
    database: applied !== null,
    keys: deps.keys.isLoaded(),
    migrations: applied !== null && expected.every((name) => applied.includes(name)),
  };
};
