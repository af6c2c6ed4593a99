import { isUnavailable } from "../../data/unavailable.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { ConfigError } from "../../platform/settings/config-error.ts";
import { databaseAway } from "../service/with-deps.ts";
import { StartError } from "../supervisor/steps.ts";

/** An error that the user can act on is printed as one line, without a stack. */
export const runReportingProblems = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    const isExplained = error instanceof StartError || isDomainError(error);
    const lines = error instanceof ConfigError ? error.problems : isExplained ? [error.message] : null;
    if (!lines && !isUnavailable(error)) throw error;
    for (const line of lines ?? [databaseAway]) process.stderr.write(`${line}\n`);
    process.exitCode = 1;
  }
};
