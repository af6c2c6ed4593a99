/**
 * Every way in which PostgreSQL, a pooler in front of it or the network makes the database unavailable. The request is
 * answered with 503 and Retry-After. Whether its transaction was committed is unknown, so callers must look up the
 * outcome (docs/spec/operations.md, Database errors).
 *
 * - `server`: the server or the pooler ends connections. PgBouncer reports its own errors as 08P01, for example "server
 * conn crashed", "query_wait_timeout" and "no more connections allowed".
 * - `standby`: the server was a primary, and refuses to write.
 * - `session`: a prepared statement is missing or exists twice, because a pooler gave this session another connection.
 * - `limit`: the statement or the transaction exceeded its time limit.
 * - `resources`: no free connection, memory, file descriptor or disk space, or an error of the disk.
 */
const sqlStates = {
  server: /^(08...|57P0[1-5])$/,
  standby: /^25006$/,
  session: /^(26000|42P05)$/,
  limit: /^(57014|25P0[34])$/,
  resources: /^(53[0-3]..|58000|58030)$/,
} as const;

type StateKind = keyof typeof sqlStates;

/**
 * `fatal`: PostgreSQL ended the connection because of an internal error. For example, it can't start a session while
 * the disk is full.
 */
type Kind = StateKind | "fatal";

/** An error in PostgreSQL's protocol. */
type ServerError = { code?: string | undefined; severity?: string | undefined; message?: string | undefined };

/** These errors of a disk have no SQLSTATE of their own: PostgreSQL reports them as XX000 and 42501. */
const unwritable = /^could not .*: (Disk quota exceeded|Read-only file system)$/;

const kindOf = ({ code = "", severity, message = "" }: ServerError): Kind | null => {
  if ((code === "XX000" || code === "42501") && unwritable.test(message)) return "resources";
  if (code === "XX000" && (severity === "FATAL" || severity === "PANIC")) return "fatal";
  return (Object.keys(sqlStates) as StateKind[]).find((kind) => sqlStates[kind].test(code)) ?? null;
};

/** Whether the connection that reported this error must not be used again. */
export const endsConnection = (error: ServerError): boolean => {
  const kind = kindOf(error);
  return kind === "server" || kind === "standby" || kind === "session" || kind === "fatal";
};

/** Whether other connections of the pool lead to the same server, which was stopped or demoted. */
export const endsAllConnections = (sqlState: string | undefined): boolean => {
  const kind = kindOf({ code: sqlState });
  return kind === "server" || kind === "standby";
};

/** Error codes of the socket and of the look-up of the host name. */
const socketCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL|EMFILE|ENFILE)$/;
/**
 * Prisma's own codes: unreachable, timed out, not answered in time, no TLS, closed by the server, no free connection,
 * too many connections.
 */
const prismaCodes = /^(P1001|P1002|P1008|P1011|P1017|P2024|P2037)$/;
/** Our own code: too many requests wait for one row (turns.ts). */
const ownCodes = /^NO_TURN$/;
/** node-postgres reports these errors without a code. */
const messages =
  /^(Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable|There was an error establishing an SSL connection)/;
/**
 * Prisma's code P2028 covers every transaction error. This message is for a transaction that found no connection and
 * never started.
 */
const notBegun = "Transaction API error: Unable to start a transaction in the given time.";
/**
 * These messages are for a transaction that exceeded its time limit and was rolled back. The failed statement's message
 * precedes them.
 */
const expired = /Transaction API error: A (query|commit) cannot be executed on an expired transaction\./;

/** Kinds of errors of Prisma's adapter that have no SQLSTATE. */
const adapterKinds = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TlsConnectionError)$/;

type AdapterCause = { originalCode?: string; originalMessage?: string; kind?: string; severity?: string };

/** An error of Prisma's adapter: Prisma wraps those of statements, but throws those of BEGIN and COMMIT unchanged. */
const adapterCause = (error: Error): AdapterCause | undefined => {
  const { meta, cause } = error as { meta?: { driverAdapterError?: { cause?: AdapterCause } }; cause?: AdapterCause };
  return meta?.driverAdapterError?.cause ?? (error.name === "DriverAdapterError" ? cause : undefined);
};

/** SQLSTATE of an error of Prisma: its codes P2010 and P2039 can contain any SQLSTATE. */
export const wrappedSqlState = (error: Error): string | undefined => adapterCause(error)?.originalCode;

/** Whether a statement failed because the database was unavailable, not because of the statement itself. */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  const { message, severity } = error as Error & { severity?: string };
  const cause = adapterCause(error);
  return (
    kindOf({ code, severity, message }) !== null ||
    kindOf({ code: cause?.originalCode, severity: cause?.severity, message: cause?.originalMessage }) !== null ||
    adapterKinds.test(cause?.kind ?? "") ||
    [socketCodes, prismaCodes, ownCodes].some((codes) => codes.test(code)) ||
    messages.test(message) ||
    message === notBegun ||
    expired.test(message)
  );
};

/**
 * The level at which work that is tried again logs its failure. A lost connection is a warning, because the work goes on
 * when the database is available again.
 */
export const failureLevel = (error: unknown): "warn" | "error" => (isUnavailable(error) ? "warn" : "error");

/** SQLSTATE class 28, and Prisma's own code for it. */
const refusedCodes = /^(28...|P1000)$/;

/** Whether the database is reachable but refuses the user or password. */
export const isRefusedByDatabase = (error: unknown): boolean =>
  error instanceof Error && "code" in error && refusedCodes.test(String(error.code));
