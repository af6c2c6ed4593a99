import { newId } from "../kernel/ids.ts";
import { resetSandbox } from "../sandbox/reset-sandbox.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { enterService } from "./service/started-service.ts";
import { withDeps } from "./service/with-deps.ts";

const usage =
  "npm run sandbox:reset   empties the sandbox, makes new keys and fills it with the demo's data; all that it issued before is invalid. Production stays as it is";
answerHelp(usage);
// Whoever adds a word expects something else than everything's end.
if (process.argv.length > 2) {
  process.stderr.write(`${usage}\n`);
  process.exit(1);
}

await enterService("sandbox");
await withDeps(async (deps) => {
  const actor = { kind: "operator", id: "command-line" } as const;
  await resetSandbox(deps, { actor, requestId: newId("req") });
  return "the sandbox is as new";
});
process.disconnect?.();
