import { growthUsage, runGrowth } from "../../e2e/bench/growth/growth.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { runMeasure } from "./checks/run-measure.ts";

answerHelp(growthUsage);
await runMeasure(() => runGrowth(process.argv.slice(2)));
