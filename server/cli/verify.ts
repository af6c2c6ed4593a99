import { conclude, startRun } from "./checks/bounds.ts";
import { rulesPart, runRules, runStaticChecks, staticParts } from "./checks/static-checks.ts";
import { generateClient } from "./supervisor/build.ts";

await generateClient();
const run = startRun(10, [...staticParts, rulesPart]);
const [checks, rules] = await Promise.all([runStaticChecks(run), runRules(run)]);
conclude(run, [...checks, rules]);
