import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";

/** Few enough for one transaction. */
const batchSize = 500;

/**
 * Any number, in their order, each by statements that change nothing a second time: what a crash leaves out is done by the
 * next try.
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
