import { type Db, databaseOf, sqlState } from "../client.ts";
import { openPool } from "../connect.ts";
import type { DatabaseTimeouts } from "../timeouts.ts";
import { isUnavailable } from "../unavailable.ts";
import { answerMilliseconds, freshnessCheck } from "./check-freshness.ts";
import { checkedPool, StaleReplica } from "./checked-pool.ts";

/** After a failure, the standby isn't tried again for this time: a silent one would delay each page. */
const retryMilliseconds = 5_000;

/** SQLSTATE of a read that the standby canceled, because it had to replay a change of the rows that it read. */
const conflictWithRecovery = "40001";

/** Whether the primary may be able to answer, although the standby wasn't. */
const isReplicaFailure = (error: unknown): boolean =>
  error instanceof StaleReplica || isUnavailable(error) || sqlState(error) === conflictWithRecovery;

type Read = <T>(work: (db: Db) => Promise<T>) => Promise<T>;
type Operations = Readonly<Record<string, (args: unknown) => Promise<unknown>>>;
const modelOf = ({ prisma }: Db, name: string) => Reflect.get(prisma, name) as Operations;

/** Runs each operation of a model by `read`. Prisma's functions, whose names start with `$`, use the primary. */
const readingModels = (primary: Db, read: Read): Db["prisma"] =>
  new Proxy(primary.prisma, {
    get(prisma, name) {
      const member = Reflect.get(prisma, name) as unknown;
      if (typeof name === "symbol" || !/^[a-z]/.test(name) || typeof member !== "object") return member;
      return new Proxy(member as Operations, {
        get: (_, operation) => (args: unknown) => read(async (db) => modelOf(db, name)[String(operation)]?.(args)),
      });
    },
  });

/**
 * The database for reads from which nothing is decided. Each statement runs on a standby that lags less than five
 * seconds. If there is none, or if it fails, the statement runs on the primary. A transaction of statements is repeated
 * as a whole. Other transactions run on the primary.
 * @param onFailure called with the reason each time the standby is left alone for five seconds.
 */
export const connectReplica = (
  primary: Db,
  { url, poolSize, timeouts }: { url: string; poolSize: number; timeouts: DatabaseTimeouts },
  onFailure: (error: unknown) => void,
): Db => {
  let failedUntil = 0;
  const limits = { ...timeouts, connection: answerMilliseconds };
  const standby = databaseOf(
    openPool(url, { size: poolSize, Pool: checkedPool(freshnessCheck(primary)) }, limits),
    limits,
  );
  const read: Read = async (work) => {
    if (performance.now() < failedUntil) return work(primary);
    try {
      return await work(standby);
    } catch (error) {
      if (!isReplicaFailure(error)) throw error;
      if (performance.now() >= failedUntil) onFailure(error);
      failedUntil = performance.now() + retryMilliseconds;
    }
    return work(primary);
  };
  return {
    ...primary,
    prisma: readingModels(primary, read),
    sql: { query: (statement, values) => read((db) => db.sql.query(statement, values)) },
    sqlTransaction: (work, options) => read((db) => db.sqlTransaction(work, options)),
    connections: standby.connections,
    close: standby.close,
  };
};
