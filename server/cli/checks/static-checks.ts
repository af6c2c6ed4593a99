import { generateClient } from "../supervisor/build.ts";
import { type Outcome, runTool, runVitest } from "./run-check.ts";

/** Types, lint, imports, dead code, pure rules: nothing that needs a database or a browser. */
export const runStaticChecks = async (): Promise<Outcome[]> => {
  // The types of the database client are part of the program.
  await generateClient();
  return Promise.all([
    runTool("types", "tsc", ["--noEmit", "-p", "."]),
    runTool("lint", "biome", ["ci", "--colors=off"]),
    runTool("imports", "depcruise", ["app", "components", "server", "e2e", "--config", ".dependency-cruiser.cjs"]),
    runTool("dead code", "knip", ["--no-gitignore"]),
    runVitest("rules", "unit", process.env),
  ]);
};
