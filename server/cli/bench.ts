import { runBench } from "../../e2e/bench/bench.ts";
import { runStatusLists } from "../../e2e/bench/status-lists/status-lists.ts";
import { runMeasure } from "./checks/run-measure.ts";

const [first, ...rest] = process.argv.slice(2);
await runMeasure(() =>
  first === "status-lists" && rest.length === 0 ? runStatusLists() : runBench(process.argv.slice(2)),
);
