import { randomUUID } from "node:crypto";
import path from "node:path";
import { dumpDatabase } from "../data/schema/dump.ts";
import { systemClock } from "../kernel/time/clock.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { readArguments } from "./arguments/read-backup-arguments.ts";
import { writeArchive } from "./backup/archive.ts";
import { runReportingProblems } from "./backup/run-command.ts";
import { readSimulator } from "./backup/simulator-file.ts";
import { withDatabases } from "./backup/with-databases.ts";

const usage = `npm run backup -- <file>   writes a consistent copy of production and sandbox to a new file. Each is encrypted with its own master key.
The file doesn't contain the keys: store MASTER_KEY and SANDBOX_MASTER_KEY, or DATA_DIR/secrets.json, separately. The service may keep running`;
answerHelp(usage);

await runReportingProblems(async () => {
  const { file } = readArguments(usage, {});
  await withDatabases({ isExclusive: false }, async (targets) => {
    const owners = targets.map(({ name, config }) => ({ name, issuer: config.baseUrl, masterKey: config.masterKey }));
    await writeArchive(file, { id: randomUUID(), createdAt: systemClock.now(), owners }, async ({ name }, write) => {
      const target = targets.find((each) => each.name === name);
      if (!target) return;
      const rows = await dumpDatabase(target.config.databaseDirectUrl, write);
      // The simulator is copied after the database. So the copy may have payments at the simulator that aren't in the
      // database, but never the reverse.
      for await (const content of readSimulator(target.simulatorFile)) await write({ kind: "simulator", content });
      process.stdout.write(`✓ ${name}: ${rows} rows\n`);
    });
  });
  process.stdout.write(`${path.resolve(file)}\n`);
});
process.disconnect?.();
