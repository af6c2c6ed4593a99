import { runGrowth } from "../../e2e/bench/growth/growth.ts";
import { StartError } from "./supervisor/steps.ts";

try {
  await runGrowth(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
process.disconnect?.();
