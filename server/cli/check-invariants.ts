import { ConfigError, readVariables } from "../config.ts";
import { connectDatabase } from "../data/client.ts";
import { findViolations, invariants } from "../data/invariants.ts";
import { isUnavailable } from "../data/unavailable.ts";
import { answerHelp } from "./answer-help.ts";
import { readStartedSecrets } from "./started-service.ts";
import { productionService, type Service, sandboxService } from "./supervisor/environments.ts";
import { databaseAway } from "./with-deps.ts";

/** Counters, periods, keys, events and audit against the charges, in both environments. Reads only. */
const check = async (service: Service): Promise<number> => {
  const db = connectDatabase(service.config.databaseUrl, 1);
  try {
    const violations = await findViolations(db.sql);
    for (const { rule, subject, problem } of violations) {
      process.stdout.write(`✗ ${service.name}: ${rule}: ${subject}: ${problem}\n`);
    }
    if (violations.length === 0) process.stdout.write(`✓ ${service.name}: ${invariants.length} invariants hold\n`);
    return violations.length;
  } finally {
    await db.close();
  }
};

answerHelp("npm run check:invariants   counters, periods, keys, events and audit against the charges; only reads");

try {
  const variables = readVariables(process.env);
  const input = { outer: process.env, variables, secrets: await readStartedSecrets(variables) };
  const production = productionService(input);
  const sandbox = sandboxService(input, production);
  let broken = 0;
  for (const service of sandbox ? [production, sandbox] : [production]) broken += await check(service);
  process.exitCode = broken > 0 ? 1 : 0;
} catch (error) {
  if (!isUnavailable(error) && !(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error instanceof ConfigError ? error.message : databaseAway}\n`);
  process.exitCode = 1;
}
process.disconnect?.();
