import type { Db } from "../client.ts";
import { statement } from "../client.ts";
import { coalesceByPool } from "../coalesce.ts";

export type EnvironmentRecord = { kind: string; issuer: string; fingerprint: string };

/** Sets the database's environment at its first migration. Afterwards only the issuer may change. */
export const claimEnvironment = async (db: Db, record: EnvironmentRecord): Promise<EnvironmentRecord> => {
  await db.prisma.environment.createMany({ data: [{ id: 1, ...record }], skipDuplicates: true });
  return db.prisma.environment.findUniqueOrThrow({ where: { id: 1 } });
};

export const updateIssuer = async (db: Db, issuer: string): Promise<void> => {
  await db.prisma.environment.update({ where: { id: 1 }, data: { issuer } });
};

const findAppliedMigrations = statement<{ migration_name: string }>(
  "find_applied_migrations",
  `SELECT migration_name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
);

const findMigrationChecksums = statement<{ migration_name: string; checksum: string }>(
  "find_migration_checksums",
  "SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
);

/**
 * @returns the checksum of each applied migration.
 * @throws Error if the database is unreachable or has no migrations.
 */
export const readMigrationChecksums = async ({ sql }: Pick<Db, "sql">): Promise<Map<string, string>> =>
  new Map((await sql.query(findMigrationChecksums, [])).map(({ migration_name: name, checksum }) => [name, checksum]));

/** Concurrent calls share a statement. @throws Error if the database is unreachable. */
export const listAppliedMigrations = ({ sql }: Pick<Db, "sql">): Promise<string[]> => listTogether(sql, null);

const listTogether = coalesceByPool(async (sql, callers: readonly null[]) => {
  const rows = await sql.query<{ migration_name: string }>(findAppliedMigrations, []);
  const names = rows.map(({ migration_name }) => migration_name);
  return callers.map(() => names);
});
