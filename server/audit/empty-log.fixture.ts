import type { Deps } from "../deps.ts";

/** A log without the entries that a new database has already, numbered from 1. */
export const emptyLog = async ({ db }: Pick<Deps, "db">): Promise<void> => {
  await db.prisma.$transaction([
    db.prisma.$executeRawUnsafe("SET LOCAL session_replication_role = replica"),
    db.prisma.$executeRawUnsafe("DELETE FROM audit_entry"),
    db.prisma.$executeRawUnsafe("ALTER SEQUENCE audit_entry_seq RESTART"),
  ]);
};
