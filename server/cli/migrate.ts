import { connectDatabase, type Db } from "../data/client.ts";
import { claimEnvironment, readAppliedMigrations, updateIssuer } from "../data/platform/environment.ts";
import { hashMigrations } from "../data/schema/migration-files.ts";
import { isRestoring } from "../data/schema/restore-mark.ts";
import { directTimeouts } from "../data/timeouts.ts";
import { isUnavailable } from "../data/unavailable.ts";
import { recordMissingVersions } from "../directory/participants/record-missing-versions.ts";
import { masterKeyFingerprint } from "../kernel/crypto/seal.ts";
import { enterServerParticipant } from "../oauth/keys/server-participant.ts";
import { readVariables, toConfig } from "../platform/config.ts";
import { assertOwnDatabase, assertOwnSettings, assertRestored } from "../platform/environment.ts";
import { ConfigError } from "../platform/settings/config-error.ts";
import { answerHelp } from "./arguments/answer-help.ts";

/** Migrates one environment's database to the current schema, and marks it as that environment's. */
const migrate = async (): Promise<string> => {
  const config = toConfig(readVariables(process.env));
  assertOwnSettings(config);
  const db = connectDatabase(config.databaseDirectUrl, 1, directTimeouts(config, "command"));
  let applied: string[] = [];
  try {
    assertRestored(await isRestoring(db.sql));
    if (!(await isUpToDate(db))) {
      // Loading the engine takes seconds, and most starts don't need it.
      const { applyMigrations } = await import("../data/schema/schema-engine.ts");
      applied = await applyMigrations(config.databaseDirectUrl);
    }
    const record = {
      kind: config.environment,
      issuer: config.baseUrl,
      fingerprint: masterKeyFingerprint(config.masterKey),
    };
    const row = await claimEnvironment(db, record);
    assertOwnDatabase(row, config);
    const [at, actor] = [new Date(), { kind: "system", id: "migrate" } as const];
    await db.transaction((tx) => enterServerParticipant({ config }, { tx, at, actor }));
    await recordMissingVersions(db, { environment: config.environment, at });
    if (row.issuer !== config.baseUrl) await updateIssuer(db, config.baseUrl);
  } finally {
    await db.close();
  }
  return applied.length > 0 ? `${applied.length} applied` : "up to date";
};

const isUpToDate = async (db: Db): Promise<boolean> => {
  const applied = await readAppliedMigrations(db).catch((error: unknown): Checksums => {
    if (isUnavailable(error)) throw error;
    // A database without the table was never migrated.
    return new Map();
  });
  const known = await hashMigrations();
  assertSameHistory(applied, known);
  return [...known.keys()].every((name) => applied.has(name));
};

type Checksums = ReadonlyMap<string, string>;

/**
 * A database of a later version has all migrations in `known`. A database without the first of these migrations was
 * created by other migrations. If a checksum differs, the database was created by an earlier text of the migration.
 */
const assertSameHistory = (applied: Checksums, known: Checksums): void => {
  const [first = ""] = known.keys();
  const names = [...applied.keys()].toSorted();
  const isOther = (name: string) => known.has(name) && known.get(name) !== applied.get(name);
  const other = applied.has(first) ? names.find(isOther) : names[0];
  if (other === undefined) return;
  throw new ConfigError([
    `DATABASE_URL: the database has a different migration history (${other}) and can't be upgraded: use an empty database. With \`npm start\`, use another DATA_DIR`,
  ]);
};

answerHelp(
  "npm run migrate   migrates the database at DATABASE_URL to the current schema; `npm start` runs it automatically",
);
if (!process.env["DATABASE_URL"]) {
  process.stderr.write("DATABASE_URL: missing. `npm start` migrates the embedded database at every start\n");
  process.exit(1);
}

try {
  const outcome = await migrate();
  // The schema engine leaves a ten-second timer of its advisory lock running. The timer must not delay the exit.
  process.stdout.write(`${outcome}\n`, () => process.exit(0));
} catch (error) {
  const isAway = isUnavailable(error);
  if (!isAway && !(error instanceof ConfigError)) throw error;
  for (const problem of isAway ? ["DATABASE_URL: no server answers at this address"] : (error as ConfigError).problems)
    process.stderr.write(`${problem}\n`);
  process.exit(1);
}
