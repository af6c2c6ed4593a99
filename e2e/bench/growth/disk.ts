import type { Deps } from "#server/deps/deps.ts";

/**
 * Data that expires within days, data that is kept for up to a year, and data that is kept for years
 * (docs/spec/operations.md, Data retention).
 */
const groups = {
  short: ["assertion_jti", "dpop_jti", "pushed_request", "authorization_code", "token_denial"],
  year: ["refresh_token"],
  kept: ["event", "charge", "audit_entry", "audit_block"],
} as const;

export type Disk = Record<keyof typeof groups | "database", number>;

/** Bytes on disk, indexes included. */
export const measureDisk = async ({ db }: Pick<Deps, "db">): Promise<Disk> => {
  const of = async (tables: readonly string[]): Promise<number> => {
    const rows = await db.prisma.$queryRawUnsafe<{ bytes: number }[]>(
      `SELECT coalesce(sum(pg_total_relation_size(p.relid)), 0)::float8 AS bytes
         FROM unnest($1::text[]::regclass[]) AS t (root), LATERAL pg_partition_tree(root) p WHERE p.isleaf`,
      tables,
    );
    return rows[0]?.bytes ?? 0;
  };
  const whole = await db.prisma.$queryRawUnsafe<{ bytes: number }[]>(
    "SELECT pg_database_size(current_database())::float8 AS bytes",
  );
  return {
    short: await of(groups.short),
    year: await of(groups.year),
    kept: await of(groups.kept),
    database: whole[0]?.bytes ?? 0,
  };
};
