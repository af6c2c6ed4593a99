import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { answerWithin, openPool } from "./connect.ts";
import { Prisma, PrismaClient } from "./generated/client.ts";
import { defaultPatience, type Patience } from "./patience.ts";
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

/** A statement of a hot path: prepared once per connection under its name. */
export type Statement<Row> = { readonly name: string; readonly text: string; readonly row?: Row };

/** @example const findEpochs = statement<{ epoch: number }>("find_epochs", `SELECT …`) */
export const statement = <Row>(name: string, text: string): Statement<Row> => ({ name, text });

/** Runs named statements: outside of a transaction, or in one. int8 arrives as bigint, timestamptz as Date. */
export type Sql = { query<Row>(statement: Statement<Row>, values: readonly SqlValue[]): Promise<Row[]> };

/** Prisma inside a transaction, and the named statements in that same transaction. */
export type Tx = Prisma.TransactionClient & { readonly sql: Sql };

export type Db = {
  readonly prisma: PrismaClient;
  readonly sql: Sql;
  /** Ordinary verbs: Prisma and statements in one transaction, read committed. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Hot paths: statements alone, on one connection, without Prisma's share of the time.
   * @param patience milliseconds that a statement may take, and that the transaction may be idle: for upkeep, and for who
   *   holds a lock while others work. Everything else is limited by the process's role.
   */
  sqlTransaction<T>(work: (sql: Sql) => Promise<T>, options?: { patience?: number }): Promise<T>;
  /**
   * As `sqlTransaction`, for work that begins by locking the one row `key`, and more than one of the same kind may want
   * at once: of each process one at a time asks PostgreSQL for it, and the others wait without a connection.
   * Who `finishes` what was begun goes before all who begin something.
   */
  inTurn: InTurn<Sql>;
  /**
   * The same, and those that wait at the same moment share a transaction. Where one of them fails it is rolled back and
   * each is done anew in one of its own; so the work may be called twice, and only the second counts.
   * Work that `interleaves` waits for nobody's answers but its own: statements of others come between its own, so
   * that none of them may rest on what an earlier one has read.
   */
  inSharedTurn: InSharedTurn<Sql>;
  /** of this process's pool */
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

/** @param longer milliseconds that a statement may take in place of the pool's. */
const sqlOn = (client: pg.Pool | pg.PoolClient, longer?: number): Sql => {
  const limit = longer === undefined ? {} : { query_timeout: answerWithin(longer) };
  return {
    async query<Row>({ name, text }: Statement<Row>, values: readonly SqlValue[]) {
      const result = await client.query({ name, text, values: values.map(encode), types: typeParsers, ...limit });
      return result.rows as Row[];
    },
  };
};

const beginLong = (milliseconds: number): string =>
  `BEGIN; SET LOCAL statement_timeout = ${milliseconds}; SET LOCAL idle_in_transaction_session_timeout = ${milliseconds}`;

const sqlInPrisma = (tx: Prisma.TransactionClient): Sql => ({
  query: <Row>({ text }: Statement<Row>, values: readonly SqlValue[]) =>
    tx.$queryRawUnsafe<Row[]>(text, ...values.map((value) => (value instanceof Date ? value.toISOString() : value))),
});

/** An own property, never assigned: Prisma's proxy would set it on the client that all transactions share. */
const withSql = (tx: Prisma.TransactionClient): Tx =>
  Object.create(tx, { sql: { value: sqlInPrisma(tx), enumerable: true } }) as Tx;

/** @param poolSize connections of this process at the most. */
export const connectDatabase = (databaseUrl: string, poolSize: number, patience: Partial<Patience> = {}): Db => {
  const pool = openPool(databaseUrl, poolSize, patience);
  const { connection } = { ...defaultPatience, ...patience };
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });

  const sqlTransaction: Db["sqlTransaction"] = async (work, { patience: longer } = {}) => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(longer === undefined ? "BEGIN" : beginLong(longer));
      const result = await work(sqlOn(client, longer));
      const { command } = await client.query("COMMIT");
      // What PostgreSQL answers, without an error, where a statement had failed and whoever sent it passed over that.
      if (command !== "COMMIT") throw new Error("a transaction was rolled back where it was to be committed");
      return result;
    } catch (error) {
      // Closed, a connection on which nothing more is heard is rolled back: ROLLBACK would wait there as long again.
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

  return {
    prisma,
    sql: sqlOn(pool),
    transaction: (work) => prisma.$transaction((tx) => work(withSql(tx)), { maxWait: connection, timeout: 15_000 }),
    sqlTransaction,
    ...takeTurnsAt(sqlTransaction),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
};

/** @returns the SQLSTATE where the error came from PostgreSQL, through either road. */
export const sqlState = (error: unknown): string | undefined => {
  if (error instanceof pg.DatabaseError) return error.code;
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    if (error.code === "P2002") return "23505";
    return wrappedSqlState(error);
  }
  return undefined;
};
