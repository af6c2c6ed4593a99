import type { CheckRun } from "./bounds.ts";
import type { Outcome } from "./progress/outcome.ts";
import { runTool, runVitest } from "./run-check.ts";

const seconds = 1_800;

/** Checks that need neither a database nor a build, by part. */
export const staticParts = ["types", "limits", "lint", "imports", "dead code"] as const;
export const rulesPart = "rules";

/** Runs the checks that read the code without running it. The database client must already be generated. */
export const runStaticChecks = (run: CheckRun): Promise<Outcome[]> => {
  const commands = {
    types: ["tsc", "--noEmit", "-p", ".", "--singleThreaded"],
    limits: ["limits"],
    lint: ["biome", "ci", "--colors=off"],
    imports: ["depcruise", "app", "components", "server", "e2e", "packages", "--config", ".dependency-cruiser.cjs"],
    "dead code": ["knip", "--no-gitignore"],
  } as const;
  return Promise.all(staticParts.map((name) => runTool(run, { name, seconds }, commands[name])));
};

/** Runs the tests of pure rules. Three files run at a time on two cores, because many tests wait for a timeout. */
export const runRules = (run: CheckRun): Promise<Outcome> =>
  runVitest(run, { name: rulesPart, project: "unit", seconds, args: ["--maxWorkers=3"] });
