import { runBench } from "../../e2e/bench/bench.ts";
import { runBilling } from "../../e2e/bench/billing/billing.ts";
import { runCapacity } from "../../e2e/bench/capacity/capacity.ts";
import { runChargeCost } from "../../e2e/bench/charge-cost/charge-cost.ts";
import { runDirectory } from "../../e2e/bench/directory/directory.ts";
import { runLists } from "../../e2e/bench/lists/lists.ts";
import { runStarts } from "../../e2e/bench/start/start.ts";
import { runStatusLists } from "../../e2e/bench/status-lists/status-lists.ts";
import { runMeasure } from "./checks/run-measure.ts";

const others: Readonly<Record<string, () => Promise<void>>> = {
  billing: runBilling,
  capacity: runCapacity,
  "charge-cost": runChargeCost,
  directory: runDirectory,
  lists: runLists,
  start: runStarts,
  "status-lists": runStatusLists,
};

const args = process.argv.slice(2);
const other = args.length === 1 ? others[args[0] ?? ""] : undefined;
await runMeasure(other ?? (() => runBench(args)));
