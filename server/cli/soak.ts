import { runSoak, soakUsage } from "../../e2e/bench/soak/soak.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { runMeasure } from "./checks/run-measure.ts";

answerHelp(soakUsage);
await runMeasure(() => runSoak(process.argv.slice(2)));
