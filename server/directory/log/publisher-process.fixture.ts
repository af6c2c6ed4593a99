import { connectDatabase } from "../../data/client.ts";
import { createSealer } from "../../kernel/crypto/seal.ts";
import { systemClock } from "../../kernel/time/clock.ts";
import { readVariables, toConfig } from "../../platform/config.ts";
import { publishLog } from "./publish-log.ts";

// A process that publishes without pause until it is killed. With small batches, it is often killed between its two
// transactions.
const config = toConfig(readVariables(process.env));
const db = connectDatabase(config.databaseUrl, 1);
const deps = { config, db, clock: systemClock, sealer: createSealer(config.masterKey, "secrets") };
for (let isFirst = true; ; isFirst = false) {
  await publishLog(deps, { batch: 3 });
  if (isFirst) process.send?.("started");
}
