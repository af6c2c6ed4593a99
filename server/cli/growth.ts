import { growthUsage, runGrowth } from "../../e2e/bench/growth/growth.ts";
import { answerHelp } from "./answer-help.ts";
import { StartError } from "./supervisor/steps.ts";

answerHelp(growthUsage);

try {
  await runGrowth(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  // At once: the embedded PostgreSQL's package ends the process with 0 where a code is only set.
  process.exit(1);
}
process.disconnect?.();
