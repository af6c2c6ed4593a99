import { readVariables, toConfig } from "../platform/config.ts";
import { fingerprintsOf } from "../platform/environment.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { runReportingProblems } from "./backup/run-command.ts";
import { enterService } from "./service/started-service.ts";

answerHelp(
  "npm run fingerprints   prints the value of PRODUCTION_FINGERPRINTS: hashes of production's master key, issuer and database. Set it for a sandbox that you start by hand: the sandbox then refuses to start with the same key, issuer or database",
);

await runReportingProblems(async () => {
  await enterService("production");
  process.stdout.write(`${fingerprintsOf(toConfig(readVariables(process.env))).join(",")}\n`);
});
process.disconnect?.();
