import { runBench } from "../../e2e/bench/bench.ts";
import { StartError } from "./supervisor/steps.ts";

try {
  await runBench(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
process.disconnect?.();
