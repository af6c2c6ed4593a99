import { connectDatabase } from "../data/client.ts";
import { forgetPublishedLog } from "../data/directory/log/log.ts";
import type { DumpRecord } from "../data/schema/dump.ts";
import { analyzeDatabase, clearDatabase, inspectTarget, loadDump, unknownMigrations } from "../data/schema/dump.ts";
import { markRestore, unmarkRestore } from "../data/schema/restore-mark.ts";
import { applyMigrations } from "../data/schema/schema-engine.ts";
import { directTimeouts } from "../data/timeouts.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { readArguments } from "./arguments/read-backup-arguments.ts";
import { describeArchive, readArchive } from "./backup/archive.ts";
import { runReportingProblems } from "./backup/run-command.ts";
import { writeSimulator } from "./backup/simulator-file.ts";
import { type Target, withDatabases } from "./backup/with-databases.ts";
import { StartError } from "./supervisor/steps.ts";

const usage = `npm run restore -- <file> [--replace]   fills the databases of production and sandbox from a file of npm run backup.
Stop the service first, and use the master keys of the backup. The databases must be empty; --replace deletes their contents. If a restore is interrupted, repeat it: until a restore completes, production and sandbox don't start on these databases`;
answerHelp(usage);

/** Makes all checks of one environment before the first change. For these checks, the whole file is read. */
const examine = async (file: string, target: Target, isReplacing: boolean): Promise<string[]> => {
  const { tables, others } = await inspectTarget(target.config.databaseDirectUrl);
  if (others > 0) {
    throw new StartError(`${target.name}: ${others} connections to its database; stop the service first`);
  }
  if (tables > 0 && !isReplacing) {
    throw new StartError(`${target.name}: its database is not empty; --replace deletes its contents`);
  }
  let migrations: string[] = [];
  for await (const record of readArchive(file, { name: target.name, masterKey: target.config.masterKey })) {
    if (record.kind === "schema") migrations = record.migrations;
  }
  const later = await unknownMigrations(migrations);
  if (later.length > 0) {
    throw new StartError(`${target.name}: the backup is from a later version (migration ${later[0]})`);
  }
  return migrations;
};

const restore = async (file: string, target: Target, migrations: readonly string[]): Promise<number> => {
  const { databaseDirectUrl: databaseUrl, masterKey } = target.config;
  await clearDatabase(databaseUrl);
  await applyMigrations(databaseUrl, migrations);
  const books: string[] = [];
  const records = async function* (): AsyncGenerator<DumpRecord> {
    for await (const record of readArchive(file, { name: target.name, masterKey })) {
      if (record.kind === "simulator") books.push(record.content);
      else yield record;
    }
  };
  const rows = await loadDump(databaseUrl, records());
  // A backup of an earlier version is migrated to the current schema.
  await applyMigrations(databaseUrl);
  const db = connectDatabase(databaseUrl, 1, directTimeouts(target.config, "command"));
  await forgetPublishedLog(db.sql).finally(() => db.close());
  await analyzeDatabase(databaseUrl);
  if (target.simulatorFile !== null && books.length > 0) await writeSimulator(target.simulatorFile, books);
  return rows;
};

await runReportingProblems(async () => {
  const { file, flags } = readArguments(usage, { replace: { type: "boolean" } });
  const { environments, created_at: createdAt } = await describeArchive(file).catch((error: NodeJS.ErrnoException) => {
    throw ["ENOENT", "EISDIR"].includes(error.code ?? "") ? new StartError(`${file}: file not found`) : error;
  });
  await withDatabases({ isExclusive: true }, async (all) => {
    const targets = all.filter(({ name }) => environments.some((each) => each.name === name));
    const examined: (readonly [Target, string[]])[] = [];
    for (const target of targets) examined.push([target, await examine(file, target, flags.has("replace"))]);
    // Both databases are marked before one of them is filled. So after an interruption, no service starts on databases
    // with data of different times.
    const urls = examined.map(([{ config }]) => config.databaseDirectUrl);
    try {
      for (const url of urls) await markRestore(url);
      const [first] = urls;
      if (first !== undefined) await clearDatabase(first);
    } catch (error) {
      // At this point, both databases are still unchanged.
      for (const url of urls) await unmarkRestore(url).catch(() => {});
      throw error;
    }
    for (const [target, migrations] of examined) {
      process.stdout.write(`✓ ${target.name}: ${await restore(file, target, migrations)} rows, as of ${createdAt}\n`);
    }
    for (const url of urls) await unmarkRestore(url);
  });
  process.stdout.write("After you start the service, run npm run check:invariants to check the data.\n");
});
// The schema engine leaves a ten-second timer of its advisory lock running. The timer must not delay the exit.
process.exit();
