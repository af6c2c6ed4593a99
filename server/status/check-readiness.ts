import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../data/client.ts";
import { readAppliedMigrations } from "../data/platform/environment.ts";
import { listMigrationNames } from "../data/schema/migration-files.ts";
import type { Deps } from "../deps/deps.ts";

export type Readiness = { database: boolean; keys: boolean; migrations: boolean };

/** The files don't change while a process runs. */
let expectedMigrations: readonly string[] | undefined;

/** Less than the time-outs of the probes and of most proxies. */
const timeoutSeconds = 4;

/** Counts seconds one by one: if the process is paused, the pause counts as one second. */
const timeOut = async (signal: AbortSignal): Promise<null> => {
  for (let second = 0; second < timeoutSeconds; second += 1) await pause(1_000, undefined, { signal });
  return null;
};

/**
 * Tries twice: after the process was paused, the connection time-out fires before the process sees that the connection
 * was made. The second attempt succeeds immediately, unless the database is unavailable.
 * @returns null if the database can't be reached.
 */
const findAppliedMigrations = async (db: Pick<Db, "sql">): Promise<ReadonlyMap<string, string> | null> => {
  const isDone = new AbortController();
  const applied = readAppliedMigrations(db).catch(() => readAppliedMigrations(db).catch(() => null));
  const timeout = timeOut(isDone.signal).catch(() => null);
  return Promise.race([applied, timeout]).finally(() => isDone.abort());
};

/** Whether this process can serve requests. Each call asks the database. */
export const checkReadiness = async (deps: Pick<Deps, "db" | "keys">): Promise<Readiness> => {
  const [expected, applied] = await Promise.all([
    expectedMigrations ?? listMigrationNames(),
    findAppliedMigrations(deps.db),
  ]);
  expectedMigrations = expected;
  return {
    database: applied !== null,
    keys: deps.keys.isLoaded(),
    migrations: applied !== null && expected.every((name) => applied.has(name)),
  };
};
