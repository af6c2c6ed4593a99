import { newId } from "../kernel/ids.ts";
import { resetSandbox } from "../sandbox/reset-sandbox.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { enterService } from "./service/started-service.ts";
import { withDeps } from "./service/with-deps.ts";

const usage =
  "npm run sandbox:reset   deletes all data of the sandbox, including accounts, creates new keys and, with SEED_DEMO, loads the demo data; everything that the sandbox issued before becomes invalid. Production isn't affected";
answerHelp(usage);
// A caller who passes an argument expects something other than the deletion of all data.
if (process.argv.length > 2) {
  process.stderr.write(`${usage}\n`);
  process.exit(1);
}

await enterService("sandbox");
await withDeps(async (deps) => {
  const actor = { kind: "operator", id: "command-line" } as const;
  await resetSandbox(deps, { actor, requestId: newId("req") });
  return "the sandbox was reset";
});
process.disconnect?.();
