import { connectDatabase } from "../../data/client.ts";
import { createSealer } from "../../kernel/crypto/seal.ts";
import { systemClock } from "../../kernel/time/clock.ts";
import { readVariables, toConfig } from "../../platform/config.ts";
import { publishLog } from "./publish-log.ts";

// A process that publishes without pause until it is killed. Small batches leave it between its two transactions often.
const config = toConfig(readVariables(process.env));
const db = connectDatabase(config.databaseUrl, 1);
const deps = { config, db, clock: systemClock, sealer: createSealer(config.masterKey, "secrets") };
for (let isFirst = true; ; isFirst = false) {
  await publishLog(deps, { batch: 3 });
  if (isFirst) process.send?.("started");
}
