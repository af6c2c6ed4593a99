import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";

/** Rows per transaction. */
const batchSize = 500;

/**
 * Writes any number of items in order, in several transactions. `write` must be idempotent: after a crash, the caller
 * runs all items again.
 */
export const runInBatches = async <One>(
  { db }: Pick<Deps, "db">,
  all: readonly One[],
  write: (sql: Sql, one: One) => Promise<unknown>,
): Promise<void> => {
  for (let start = 0; start < all.length; start += batchSize) {
    await db.sqlTransaction(async (sql) => {
      for (const one of all.slice(start, start + batchSize)) await write(sql, one);
    });
  }
};
