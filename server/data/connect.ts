import pg from "pg";
import { gradualPool } from "./gradual-pool.ts";
import { type DatabaseTimeouts, defaultTimeouts } from "./timeouts.ts";
import { endsAllConnections, endsConnection } from "./unavailable.ts";

/** After the time limit of a statement, PostgreSQL's own error may still take this time to arrive. */
const answerMilliseconds = 2_000;
/** TCP keep-alive detects a dead host: after 10 s of silence it sends a probe each second, ten times. */
const keepAliveMilliseconds = 10_000;
const closeMilliseconds = 1_000;
/** Message of node-postgres for a statement that timed out. */
const noAnswer = "Query read timeout";

type ParameterStatus = { parameterName: string; parameterValue: string };

class Connection extends pg.Client {
  /** PostgreSQL 14 and later report `in_hot_standby` when a connection starts, and when a standby is promoted. */
  mayBeStandby = false;

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.connection.on("parameterStatus", ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === "in_hot_standby") this.mayBeStandby = parameterValue === "on";
    });
  }

  /** Doesn't wait for the peer to close: a silent peer would keep the socket, and with it the process, open forever. */
  override end(...callback: []): Promise<void> {
    const cut = setTimeout(() => this.connection.stream.destroy(), closeMilliseconds);
    cut.unref();
    this.once("end", () => clearTimeout(cut));
    return super.end(...callback);
  }
}

/**
 * Without this setting, PostgreSQL makes a new plan for each call with an array parameter. Planning takes up to twice
 * the time of the call itself.
 */
const planning = "-c plan_cache_mode=force_generic_plan";

const sessionSettings = (statement: number | null): string =>
  statement === null
    ? planning
    : `${planning} -c statement_timeout=${statement} -c idle_in_transaction_session_timeout=${2 * statement}`;

/** Options of node-postgres for a pool or one connection, so that no operation waits forever. */
export const connectionOptions = (databaseUrl: string, timeouts: Partial<DatabaseTimeouts> = {}) => {
  const { connection, statement, sendsSettings } = { ...defaultTimeouts, ...timeouts };
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

/** How long node-postgres waits for the answer to a statement with this time limit in PostgreSQL. */
export const answerWithin = (statement: number): number => statement + answerMilliseconds;

/**
 * Opens a single connection, for work outside a process's pool.
 * @param timeouts.statement null for work without a time limit: a dump, a restore.
 */
export const connectAlone = async (databaseUrl: string, timeouts: Partial<DatabaseTimeouts>): Promise<pg.Client> => {
  const { Client, ...options } = connectionOptions(databaseUrl, { ...timeouts, sendsSettings: false });
  const client = new Client(options);
  // If the server ends the connection, the next query fails. Without a listener this event would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
};

/** Closes a connection that no caller uses, and removes it from its pool immediately. */
const giveUp = (client: pg.PoolClient): void => {
  client.connection.stream.destroy();
  client.emit("error", new Error("Connection terminated: another connection of the pool was lost"));
};

/**
 * A proxy can pass a connection to a standby, for example before its first health check. The server itself is asked,
 * because PgBouncer repeats the parameters of its first server connection to every client.
 * @param isPooled a pooler may be between us and the server
 * @throws Error for a connection to a standby
 */
const refuseStandby = async (
  client: pg.ClientBase,
  { milliseconds, isPooled }: { milliseconds: number; isPooled: boolean },
): Promise<void> => {
  if (!isPooled && !(client instanceof Connection && client.mayBeStandby)) return;
  const question = { text: 'SELECT pg_is_in_recovery() AS "isStandby"', query_timeout: milliseconds };
  const { rows } = await client.query<{ isStandby: boolean }>(question);
  if (rows[0]?.isStandby) throw Object.assign(new Error("the server is a standby"), { code: "25006" });
};

/**
 * A pool that recovers from a silent peer, for example after a failover that closed no connections. If a statement
 * isn't answered in time, its connection is closed together with the idle connections, which lead to the same peer. If
 * a server stops or refuses to write because it was demoted, its connections are closed in the same way. A connection
 * to a standby isn't used, except in the pool of a replica, which has a `Pool` of its own. The pool opens few
 * connections at a time.
 */
export const openPool = (
  databaseUrl: string,
  { size, Pool = pg.Pool }: { size: number; Pool?: typeof pg.Pool },
  timeouts: Partial<DatabaseTimeouts>,
): pg.Pool => {
  const options = connectionOptions(databaseUrl, timeouts);
  const { connectionTimeoutMillis } = options;
  const asking = { milliseconds: connectionTimeoutMillis, isPooled: timeouts.sendsSettings === false };
  const Gradual = gradualPool(Pool, Connection);
  const pool = new Gradual({
    ...options,
    max: size,
    // Not `verify`: if the caller stops waiting during an asynchronous `verify`, the pool loses the connection.
    ...(Pool === pg.Pool ? { onConnect: (client) => refuseStandby(client, asking) } : {}),
    // The first statement on a new connection takes 40 ms, and on a kept connection 1 or 2 ms. So connections are kept
    // for long, but for less than the idle time-out of proxies, which is 350 s.
    idleTimeoutMillis: 300_000,
    // Needed for interleaved work in a shared transaction. If a pipelined statement times out, node-postgres closes the
    // connection, because the statements after it can't be answered.
    pipeline: true,
  });
  const idle = new Set<pg.PoolClient>();
  const ended = new WeakSet<pg.PoolClient>();
  const dropIdle = () => {
    for (const client of [...idle]) if (idle.delete(client)) giveUp(client);
  };
  pool.on("acquire", (client) => {
    idle.delete(client);
  });
  pool.on("release", (error, client) => {
    const isClosed = client.connection.stream.destroyed;
    if (isClosed || error?.message === noAnswer) dropIdle();
    // The pool may not have noticed yet that the connection is closed. After `end`, the pool doesn't reuse it.
    if (isClosed || ended.has(client)) void client.end();
    else if (!error) idle.add(client);
  });
  pool.on("remove", (client) => {
    idle.delete(client);
  });
  // The pool has already dropped the lost idle connection. Without a listener this event would end the process.
  pool.on("error", () => {});
  // The pool listens only to idle connections. If a connection is lost while in use, its transaction's next statement
  // fails.
  pool.on("connect", (client) => {
    client.connection.on("errorMessage", (error: pg.DatabaseError) => {
      if (endsConnection(error)) ended.add(client);
      if (endsAllConnections(error.code)) dropIdle();
    });
    client.on("error", () => {
      idle.delete(client);
      dropIdle();
    });
  });
  return pool;
};
