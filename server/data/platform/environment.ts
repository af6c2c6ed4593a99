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

const findAppliedMigrations = statement<{ migration_name: string; checksum: string }>(
  "find_applied_migrations",
  `SELECT migration_name, checksum FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
);

/**
 * Concurrent calls share a statement.
 * @returns the checksum of each applied migration, by name.
 * @throws Error if the database is unreachable or was never migrated.
 */
export const readAppliedMigrations = ({ sql }: Pick<Db, "sql">): Promise<ReadonlyMap<string, string>> =>
  readTogether(sql, null);

const readTogether = coalesceByPool(async (sql, callers: readonly null[]) => {
  const rows = await sql.query(findAppliedMigrations, []);
  const checksums = new Map(rows.map(({ migration_name: name, checksum }) => [name, checksum]));
  return callers.map(() => checksums);
});
