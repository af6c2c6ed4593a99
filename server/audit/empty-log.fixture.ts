import type { Deps } from "../deps/deps.ts";

/** A log numbered from 1, without the entries that a new database already contains. */
export const emptyLog = async ({ db }: Pick<Deps, "db">): Promise<void> => {
  await db.transaction(async (tx) => {
    await tx.$executeRawUnsafe("SET LOCAL session_replication_role = replica");
    await tx.$executeRawUnsafe("DELETE FROM audit_entry");
    await tx.$executeRawUnsafe("ALTER SEQUENCE audit_entry_seq RESTART");
  });
};
