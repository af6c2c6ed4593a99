import { runBench } from "../../e2e/bench/bench.ts";
import { runStatusLists } from "../../e2e/bench/status-lists/status-lists.ts";
import { StartError } from "./supervisor/steps.ts";

try {
  const [first, ...rest] = process.argv.slice(2);
  await (first === "status-lists" && rest.length === 0 ? runStatusLists() : runBench(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  // At once: the embedded PostgreSQL's package ends the process with 0 where a code is only set.
  process.exit(1);
}
process.disconnect?.();
