import { type Db, databaseOf, sqlState } from "../client.ts";
import { openPool } from "../connect.ts";
import type { DatabaseTimeouts } from "../timeouts.ts";
import { isUnavailable } from "../unavailable.ts";
import { answerMilliseconds, freshnessCheck } from "./check-freshness.ts";
import { checkedPool, StaleReplica } from "./checked-pool.ts";

/** After a failure, the standby isn't tried again for this time: a silent one would delay each page. */
const retryMilliseconds = 5_000;

/**
 * SQLSTATEs of a read that the standby canceled: it had to replay a change of the rows that it read, or the read held a
 * buffer that the replay needed.
 */
const conflictsWithRecovery = new Set(["40001", "40P01"]);
/** The statement exceeded its time limit, and would exceed it on the primary too. */
const tooSlow = "57014";

/** Whether the primary may be able to answer, although the standby couldn't. */
const isReplicaFailure = (error: unknown): boolean => {
  const state = sqlState(error) ?? "";
  if (state === tooSlow) return false;
  return error instanceof StaleReplica || isUnavailable(error) || conflictsWithRecovery.has(state);
};

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

export type Replica = {
  /**
   * The database for the reads of one request. No decision may be based on these reads. Each statement runs on a
   * standby that lags less than five seconds. If there is none, or if it fails, this statement and all later ones run
   * on the primary: so a statement never reads an earlier state than the statements before it. A transaction of
   * statements is repeated as a whole. Other transactions run on the primary.
   */
  reads(): Db;
  close(): Promise<void>;
};

/** @param onFailure called with the reason whenever a failure stops the use of the standby for five seconds. */
export const connectReplica = (
  primary: Db,
  { url, poolSize, timeouts }: { url: string; poolSize: number; timeouts: DatabaseTimeouts },
  onFailure: (error: unknown) => void,
): Replica => {
  const limits = { ...timeouts, connection: answerMilliseconds };
  const standby = databaseOf(
    openPool(url, { size: poolSize, Pool: checkedPool(freshnessCheck(primary)) }, limits),
    limits,
  );
  let failedUntil = 0;
  /** After a failure, one request tries the standby again. Until its result is known, all others use the primary. */
  let state: "up" | "down" | "probing" = "up";
  const admit = (): boolean => {
    if (state === "probing" || performance.now() < failedUntil) return false;
    if (state === "down") state = "probing";
    return true;
  };
  const fail = (error: unknown): void => {
    if (performance.now() >= failedUntil) onFailure(error);
    failedUntil = performance.now() + retryMilliseconds;
    state = "down";
  };

  const reads = (): Db => {
    let isFailed = false;
    const read: Read = async (work) => {
      if (isFailed || !admit()) {
        isFailed = true;
        return work(primary);
      }
      try {
        const result = await work(standby);
        state = "up";
        return result;
      } catch (error) {
        if (!isReplicaFailure(error)) {
          if (state === "probing") state = "up";
          throw error;
        }
        isFailed = true;
        fail(error);
      }
      return work(primary);
    };
    return {
      ...primary,
      prisma: readingModels(primary, read),
      sql: { query: (statement, values) => read((db) => db.sql.query(statement, values)) },
      sqlTransaction: (work, options) => read((db) => db.sqlTransaction(work, options)),
    };
  };
  return { reads, close: standby.close };
};
