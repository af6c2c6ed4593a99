import pg from "pg";
import { defaultPatience, type Patience } from "./patience.ts";

/** What PostgreSQL's own cancellation may need to arrive. */
const answerMilliseconds = 2_000;
/** A host that is gone doesn't answer TCP's own questions either: after 10 s of silence it is asked each second, ten times. */
const keepAliveMilliseconds = 10_000;
const goodbyeMilliseconds = 1_000;
/** What node-postgres says of a statement that has timed out. */
const noAnswer = "Query read timeout";

/** Its goodbye isn't waited for: a peer that has gone silent would keep the socket, and with it the process, for ever. */
class Connection extends pg.Client {
  override end(...callback: []): Promise<void> {
    const cut = setTimeout(() => this.connection.stream.destroy(), goodbyeMilliseconds);
    cut.unref();
    this.once("end", () => clearTimeout(cut));
    return super.end(...callback);
  }
}

/** Lists of known length make PostgreSQL believe that planning each call pays: it costs up to twice the call. */
const planning = "-c plan_cache_mode=force_generic_plan";

const sessionSettings = (statement: number | null): string =>
  statement === null
    ? planning
    : `${planning} -c statement_timeout=${statement} -c idle_in_transaction_session_timeout=${2 * statement}`;

/** Of node-postgres, for a pool or for one connection: nothing on it waits for ever. */
export const connectionOptions = (databaseUrl: string, patience: Partial<Patience> = {}) => {
  const { connection, statement, sendsSettings } = { ...defaultPatience, ...patience };
  return {
    connectionString: databaseUrl,
    connectionTimeoutMillis: connection,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMilliseconds,
    ...(statement === null ? {} : { query_timeout: statement + answerMilliseconds }),
    ...(sendsSettings ? { options: sessionSettings(statement) } : {}),
    Client: Connection,
  };
};

/** How long `node-postgres` waits for the answer to a statement that PostgreSQL may take so long for. */
export const answerWithin = (statement: number): number => statement + answerMilliseconds;

/**
 * One connection of its own, for what belongs to no process's pool. @param statement null for what takes as long as it takes:
 * a dump, a restore.
 */
export const connectAlone = async (databaseUrl: string, patience: Partial<Patience>): Promise<pg.Client> => {
  const { Client, ...options } = connectionOptions(databaseUrl, { ...patience, sendsSettings: false });
  const client = new Client(options);
  // A connection that the server ends fails the next query; unheard, this event would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
};

/** Closes a connection that no caller uses, and removes it from its pool at once. */
const giveUp = (client: pg.PoolClient): void => {
  client.connection.stream.destroy();
  client.emit("error", new Error("Connection terminated: another one of its pool was lost"));
};

/**
 * A pool that recovers by itself from a peer that goes silent, as after a failover that closed nothing: a connection whose
 * statement is not answered in time is closed and never used again, and the idle ones, which lead to the same peer, with it.
 */
export const openPool = (databaseUrl: string, size: number, patience: Partial<Patience>): pg.Pool => {
  const pool = new pg.Pool({
    ...connectionOptions(databaseUrl, patience),
    max: size,
    // A new connection and its first statement take 40 ms, where a kept one takes 1 or 2. Below what proxies cut, 350 s.
    idleTimeoutMillis: 300_000,
    // For those who share a transaction and interleave in it. Of a pipeline whose statement timed out node-postgres closes
    // the connection: nothing behind it can be answered.
    pipeline: true,
  });
  const idle = new Set<pg.PoolClient>();
  const dropIdle = () => {
    for (const client of [...idle]) if (idle.delete(client)) giveUp(client);
  };
  pool.on("acquire", (client) => {
    idle.delete(client);
  });
  pool.on("release", (error, client) => {
    const isClosed = client.connection.stream.destroyed;
    if (isClosed || error?.message === noAnswer) dropIdle();
    // The pool may not have seen yet that it is closed, but takes back none that is ending.
    if (isClosed) void client.end();
    else if (!error) idle.add(client);
  });
  pool.on("remove", (client) => {
    idle.delete(client);
  });
  // An idle connection that was lost: the pool has dropped it already; unheard, this event would end the process.
  pool.on("error", () => {});
  // The pool listens to idle connections alone. One that is lost while it is in use fails its transaction's next statement.
  pool.on("connect", (client) => {
    client.on("error", () => {
      idle.delete(client);
      dropIdle();
    });
  });
  return pool;
};
