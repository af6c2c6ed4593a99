import { compose } from "../../compose.ts";
import type { Deps } from "../../deps/deps.ts";
import { createLog } from "../../platform/log.ts";
import { runReportingProblems } from "../backup/run-command.ts";
import { withDatabases } from "../backup/with-databases.ts";
import type { EnvironmentName } from "../supervisor/environments.ts";
import { StartError } from "../supervisor/steps.ts";

/**
 * Runs one command in one environment. If `npm start` isn't running, the embedded database is started for the command.
 * Problems are printed as lines, without stacks.
 * @param work returns the text to print.
 */
export const withService = (name: EnvironmentName, work: (deps: Deps) => Promise<string>): Promise<void> =>
  runReportingProblems(() =>
    withDatabases({ isExclusive: false }, async (targets) => {
      const target = targets.find((each) => each.name === name);
      if (!target) throw new StartError("there is no sandbox: SANDBOX_DATABASE_URL is not set");
      const { config } = target;
      const deps = await compose(config, createLog({ role: "command", environment: config.environment }, "error"));
      try {
        process.stdout.write(`${await work(deps)}\n`);
      } finally {
        await deps.close();
      }
    }),
  );
