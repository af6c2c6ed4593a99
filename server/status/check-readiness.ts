import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../data/client.ts";
import { listAppliedMigrations } from "../data/platform/environment.ts";
import { listMigrationNames } from "../data/schema/migration-files.ts";
import type { Deps } from "../deps/deps.ts";

export type Readiness = { database: boolean; keys: boolean; migrations: boolean };

/** What this code expects; the files of a running process don't change. */
let expectedMigrations: Promise<string[]> | undefined;

/** Less than the prober's and most proxies' own. */
const patienceSeconds = 4;

/** A second at a time: of one in which this process stood still, and could not see what had come, no more counts. */
const timeOut = async (signal: AbortSignal): Promise<null> => {
  for (let second = 0; second < patienceSeconds; second += 1) await pause(1_000, undefined, { signal });
  return null;
};

/**
 * Asks once more: a process that stood still finds its patience for a connection run out before it sees that the
 * connection has come, and the next one comes at once. A database that is away refuses both.
 * @returns null where it is out of reach.
 */
const findAppliedMigrations = async (db: Pick<Db, "sql">): Promise<string[] | null> => {
  const told = new AbortController();
  const applied = listAppliedMigrations(db).catch(() => listAppliedMigrations(db).catch(() => null));
  const patience = timeOut(told.signal).catch(() => null);
  return Promise.race([applied, patience]).finally(() => told.abort());
};

/** Whether this process can serve: each answer is found out anew. */
export const checkReadiness = async (deps: Pick<Deps, "db" | "keys">): Promise<Readiness> => {
  expectedMigrations ??= listMigrationNames();
  const [expected, applied] = await Promise.all([expectedMigrations, findAppliedMigrations(deps.db)]);
  return {
    database: applied !== null,
    keys: deps.keys.isLoaded(),
    migrations: applied !== null && expected.every((name) => applied.includes(name)),
  };
};
