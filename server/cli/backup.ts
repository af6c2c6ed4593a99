import { randomUUID } from "node:crypto";
import path from "node:path";
import { dumpDatabase } from "../data/schema/dump.ts";
import { systemClock } from "../kernel/time/clock.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { readArguments } from "./arguments/read-backup-arguments.ts";
import { writeArchive } from "./backup/archive.ts";
import { runOrTell } from "./backup/run-command.ts";
import { readSimulator } from "./backup/simulator-file.ts";
import { withDatabases } from "./backup/with-databases.ts";

const usage = `npm run backup -- <file>   writes production and sandbox, each as of one instant, to a new file that only their master keys open.
The keys are not in it: keep MASTER_KEY and SANDBOX_MASTER_KEY, or DATA_DIR/secrets.json, somewhere else. The service goes on meanwhile`;
answerHelp(usage);

await runOrTell(async () => {
  const { file } = readArguments(usage, {});
  await withDatabases({ isExclusive: false }, async (targets) => {
    const owners = targets.map(({ name, config }) => ({ name, issuer: config.baseUrl, masterKey: config.masterKey }));
    await writeArchive(file, { id: randomUUID(), createdAt: systemClock.now(), owners }, async ({ name }, write) => {
      const target = targets.find((each) => each.name === name);
      if (!target) return;
      const rows = await dumpDatabase(target.config.databaseUrl, write);
      // After the database: a processor knows of payments that we are yet to hear of, never the other way round.
      for await (const content of readSimulator(target.simulatorFile)) await write({ kind: "simulator", content });
      process.stdout.write(`✓ ${name}: ${rows} rows\n`);
    });
  });
  process.stdout.write(`${path.resolve(file)}\n`);
});
process.disconnect?.();
