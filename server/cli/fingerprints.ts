import { readVariables, toConfig } from "../platform/config.ts";
import { fingerprintsOf } from "../platform/environment.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { runReportingProblems } from "./backup/run-command.ts";
import { enterService } from "./service/started-service.ts";

answerHelp(
  "npm run fingerprints   prints hashes of production's master key, issuer and database for PRODUCTION_FINGERPRINTS: a sandbox that is started by hand refuses to use the same key, issuer or database",
);

await runReportingProblems(async () => {
  await enterService("production");
  process.stdout.write(`${fingerprintsOf(toConfig(readVariables(process.env))).join(",")}\n`);
});
process.disconnect?.();
