import type { Deps } from "../deps/deps.ts";

/** A log without the entries that a new database has already, numbered from 1. */
export const emptyLog = async ({ db }: Pick<Deps, "db">): Promise<void> => {
  await db.transaction(async (tx) => {
    await tx.$executeRawUnsafe("SET LOCAL session_replication_role = replica");
    await tx.$executeRawUnsafe("DELETE FROM audit_entry");
    await tx.$executeRawUnsafe("ALTER SEQUENCE audit_entry_seq RESTART");
  });
};
