import { type Outcome, runTool, runVitest } from "./run-check.ts";
import type { Bounds } from "./run-program.ts";

const seconds = 900;

/** Types, lint, imports, dead code: what is seen without running anything. The database client must be generated. */
export const runStaticChecks = (bounds: Bounds): Promise<Outcome[]> =>
  Promise.all([
    runTool(bounds, { name: "types", seconds }, "tsc", ["--noEmit", "-p", "."]),
    runTool(bounds, { name: "lint", seconds }, "biome", ["ci", "--colors=off"]),
    runTool(bounds, { name: "imports", seconds }, "depcruise", [
      "app",
      "components",
      "server",
      "e2e",
      "--config",
      ".dependency-cruiser.cjs",
    ]),
    runTool(bounds, { name: "dead code", seconds }, "knip", ["--no-gitignore"]),
  ]);

/** Pure rules: nothing that needs a database or a browser. Three at a time, since many wait for a time-out to pass. */
export const runRules = (bounds: Bounds): Promise<Outcome> =>
  runVitest(bounds, { name: "rules", project: "unit", seconds, args: ["--maxWorkers=3"] });
