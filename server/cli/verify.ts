import { bound } from "./checks/bounds.ts";
import { conclude } from "./checks/run-check.ts";
import { runRules, runStaticChecks } from "./checks/static-checks.ts";
import { generateClient } from "./supervisor/build.ts";

await generateClient();
const bounds = bound(10);
const [checks, rules] = await Promise.all([runStaticChecks(bounds), runRules(bounds)]);
conclude([...checks, rules]);
