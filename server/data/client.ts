import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { answerWithin, openPool } from "./connect.ts";
import { Prisma, PrismaClient } from "./generated/client.ts";
import { type DatabaseTimeouts, defaultTimeouts } from "./timeouts.ts";
import { type InSharedTurn, type InTurn, takeTurnsAt } from "./turn-transactions.ts";
import { isUnavailable, wrappedSqlState } from "./unavailable.ts";

export type SqlValue =
  | string
  | number
  | boolean
  | bigint
  | Date
  | null
  | readonly (string | null)[]
  | readonly number[];

/** A statement of a hot path, prepared once per connection under its name, unless DATABASE_STATEMENTS is `unnamed`. */
export type Statement<Row> = { readonly name: string; readonly text: string; readonly row?: Row };

/** @example const findEpochs = statement<{ epoch: number }>("find_epochs", `SELECT …`) */
export const statement = <Row>(name: string, text: string): Statement<Row> => ({ name, text });

/** Runs named statements, inside or outside a transaction. int8 arrives as bigint, timestamptz as Date. */
export type Sql = { query<Row>(statement: Statement<Row>, values: readonly SqlValue[]): Promise<Row[]> };

/** Prisma inside a transaction, and the named statements in that same transaction. */
export type Tx = Prisma.TransactionClient & { readonly sql: Sql };

export type Db = {
  readonly prisma: PrismaClient;
  readonly sql: Sql;
  /** The usual transaction of verbs. It may use Prisma and statements, and its isolation level is read committed. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * A transaction for hot paths: it runs only statements, on one connection, without the overhead of Prisma.
   * @param timeoutMilliseconds time limit of a statement and of an idle transaction; default: the limits of the
   *   process's role. Upkeep sets it, and so does a transaction that only holds a lock while other transactions do the
   *   work.
   */
  sqlTransaction<T>(work: (sql: Sql) => Promise<T>, options?: { timeoutMilliseconds?: number }): Promise<T>;
  /**
   * Like `sqlTransaction`, for work that begins with a lock on the row `key`, which several callers may need
   * concurrently. Each process requests the lock for one caller at a time, and the others wait without a connection. A
   * caller that `finishes` started work takes precedence over all callers that start new work.
   */
  inTurn: InTurn<Sql>;
  /**
   * Like `inTurn`, but concurrent callers share a transaction. If the work of one caller fails, the transaction is
   * rolled back, and the work of each caller runs again in its own transaction. So the work may be called twice, and
   * only the second call takes effect. Work that `interleaves` waits only for its own answers: statements of others run
   * between its statements, so no statement may depend on what an earlier statement has read. If a caller has a turn of
   * its own, its `alone` is tried before its work, without BEGIN and COMMIT.
   */
  inSharedTurn: InSharedTurn<Sql>;
  /** statistics of this process's pool */
  connections(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
};

const typeParsers = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8
      ? BigInt
      : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser,
};

const encode = (value: SqlValue): unknown => (typeof value === "bigint" ? value.toString() : value);

type StatementOptions = {
  namesStatements: boolean;
  /** time limit of a statement in milliseconds, instead of the pool's limit */
  longer?: number | undefined;
};

const sqlOn = (client: pg.Pool | pg.PoolClient, { namesStatements, longer }: StatementOptions): Sql => {
  const limit = longer === undefined ? {} : { query_timeout: answerWithin(longer) };
  return {
    async query<Row>({ name, text }: Statement<Row>, values: readonly SqlValue[]) {
      const named = namesStatements ? { name } : {};
      const result = await client.query({ ...named, text, values: values.map(encode), types: typeParsers, ...limit });
      return result.rows as Row[];
    },
  };
};

const beginWithTimeout = (milliseconds: number): string =>
  `BEGIN; SET LOCAL statement_timeout = ${milliseconds}; SET LOCAL idle_in_transaction_session_timeout = ${milliseconds}`;

const sqlInPrisma = (tx: Prisma.TransactionClient): Sql => ({
  query: <Row>({ text }: Statement<Row>, values: readonly SqlValue[]) =>
    tx.$queryRawUnsafe<Row[]>(text, ...values.map((value) => (value instanceof Date ? value.toISOString() : value))),
});

/**
 * Defined as an own property, never assigned: Prisma's proxy would set it on the client that all transactions share.
 */
const withSql = (tx: Prisma.TransactionClient): Tx =>
  Object.create(tx, { sql: { value: sqlInPrisma(tx), enumerable: true } }) as Tx;

/** @param poolSize maximum number of connections of this process. */
export const connectDatabase = (databaseUrl: string, poolSize: number, timeouts: Partial<DatabaseTimeouts> = {}): Db =>
  databaseOf(openPool(databaseUrl, { size: poolSize }, timeouts), timeouts);

/** The database behind a pool that was opened with these time limits. */
export const databaseOf = (pool: pg.Pool, timeouts: Partial<DatabaseTimeouts>): Db => {
  const { connection, namesStatements } = { ...defaultTimeouts, ...timeouts };
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });

  const sqlTransaction: Db["sqlTransaction"] = async (work, { timeoutMilliseconds: longer } = {}) => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(longer === undefined ? "BEGIN" : beginWithTimeout(longer));
      const result = await work(sqlOn(client, { namesStatements, longer }));
      const { command } = await client.query("COMMIT");
      // PostgreSQL answers COMMIT like this, without an error, if a statement failed and its caller ignored the
      // failure.
      if (command !== "COMMIT")
        throw new Error("a transaction was rolled back instead of committed because one of its statements failed");
      return result;
    } catch (error) {
      // Closing a silent connection rolls its transaction back. A ROLLBACK would wait on that connection for the same
      // time again.
      if (error instanceof Error && isUnavailable(error)) broken = error;
      else {
        await client.query("ROLLBACK").catch((cause: Error) => {
          broken = cause;
        });
      }
      throw error;
    } finally {
      client.release(broken);
    }
  };

  const sql = sqlOn(pool, { namesStatements });
  return {
    prisma,
    sql,
    transaction: (work) => prisma.$transaction((tx) => work(withSql(tx)), { maxWait: connection, timeout: 15_000 }),
    sqlTransaction,
    ...takeTurnsAt(sqlTransaction, sql),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
};

/** @returns the SQLSTATE if the error came from PostgreSQL, through Prisma or a statement. */
export const sqlState = (error: unknown): string | undefined => {
  if (error instanceof pg.DatabaseError) return error.code;
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    if (error.code === "P2002") return "23505";
    return wrappedSqlState(error);
  }
  return undefined;
};
