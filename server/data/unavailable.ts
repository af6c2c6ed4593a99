/**
 * - SQLSTATE codes for connection errors (08, 57P01 to 57P03), a statement or transaction that exceeded its time limit
 *   (57014, 25P03, 25P04), insufficient resources (53100 to 53300), and a read-only standby (25006);
 * - error codes of the socket;
 * - Prisma's own codes: unreachable, timed out, not answered in time, closed by the server, no free connection;
 * - our own code: too many requests wait for one row (turns.ts).
 */
const codes =
  /^(08|57P0[123]|57014|25P0[34]|53[123]|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|P1001$|P1002$|P1008$|P1017$|P2024$|NO_TURN$)/;
/** node-postgres reports these errors without a code. */
const messages =
  /^(Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error)/;
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

/** SQLSTATE of an error that Prisma wrapped: its codes P2010 and P2039 can contain any SQLSTATE. */
export const wrappedSqlState = (error: Error): string | undefined =>
  (error as { meta?: { driverAdapterError?: { cause?: { originalCode?: string } } } }).meta?.driverAdapterError?.cause
    ?.originalCode;

/** Whether a statement failed because the database was unavailable, not because of the statement itself. */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  const { message } = error;
  return (
    codes.test(code) ||
    codes.test(wrappedSqlState(error) ?? "") ||
    messages.test(message) ||
    message === notBegun ||
    expired.test(message)
  );
};

/** SQLSTATE class 28, and Prisma's own code for it. */
const refusedCodes = /^(28...|P1000)$/;

/** Whether the database is reachable but refuses the user or password. */
export const isRefusedByDatabase = (error: unknown): boolean =>
  error instanceof Error && "code" in error && refusedCodes.test(String(error.code));
