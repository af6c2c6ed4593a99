import { compose } from "../../compose.ts";
import { isRefusedByDatabase, isUnavailable } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { readVariables, toConfig } from "../../platform/config.ts";
import { createLog } from "../../platform/log.ts";
import { ConfigError } from "../../platform/settings/config-error.ts";

const databaseRefuses =
  "the database rejects the user or the password; check that DATA_DIR or DATABASE_URL belongs to the running service";
export const databaseAway = "the database does not respond; the embedded database runs only during `npm start`";

/**
 * Runs one command in the environment that the variables describe. Its problems are printed as lines, without stacks.
 * @param work returns the text to print, or null when it has printed everything itself.
 */
export const withDeps = async (work: (deps: Deps) => Promise<string | null>): Promise<void> => {
  try {
    const config = toConfig(readVariables(process.env));
    const deps = await compose(config, createLog({ role: "command", environment: config.environment }, "error"));
    try {
      const text = await work(deps);
      if (text !== null) process.stdout.write(`${text}\n`);
    } finally {
      await deps.close();
    }
  } catch (error) {
    const problems = problemsOf(error);
    if (!problems) throw error;
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
  }
};

const problemsOf = (error: unknown): readonly string[] | null => {
  if (error instanceof ConfigError) return error.problems;
  if (isDomainError(error)) return [error.message];
  if (isRefusedByDatabase(error)) return [databaseRefuses];
  return isUnavailable(error) ? [databaseAway] : null;
};
