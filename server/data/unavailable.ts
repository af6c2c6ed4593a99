/**
 * Connection classes of SQLSTATE (08, 57P01 to 57P03), a statement or transaction that took longer than its process may wait
 * (57014, 25P03, 25P04), no room for what is written (53100 to 53300), a standby that writes nothing (25006), of the socket
 * below, and Prisma's own words for them: not reachable, timed out, not answered in time, closed by the server, no connection
 * free. And our own, where too many wait for one row (turns.ts).
 */
const codes =
  /^(08|57P0[123]|57014|25P0[34]|53[123]|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|P1001$|P1002$|P1008$|P1017$|P2024$|NO_TURN$)/;
/** node-postgres tells these without a code. */
const messages =
  /^(Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error)/;
/** Prisma's code P2028 is of all that becomes of a transaction; this is of one that found no connection, and never began. */
const notBegun = "Transaction API error: Unable to start a transaction in the given time.";
/** And these of one that took longer than it may, and was rolled back; the statement that heard of it is told before them. */
const expired = /Transaction API error: A (query|commit) cannot be executed on an expired transaction\./;

/** SQLSTATE of an error that Prisma has wrapped: its own codes P2010 and P2039 are of any. */
export const wrappedSqlState = (error: Error): string | undefined =>
  (error as { meta?: { driverAdapterError?: { cause?: { originalCode?: string } } } }).meta?.driverAdapterError?.cause
    ?.originalCode;

/** Whether a statement failed because the database could not be reached, and not because of what it said. */
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

/** Class 28 of SQLSTATE, and Prisma's own word for it. */
const refusedCodes = /^(28...|P1000)$/;

/** Whether the database is there and refuses its user or password. */
export const isRefusedByDatabase = (error: unknown): boolean =>
  error instanceof Error && "code" in error && refusedCodes.test(String(error.code));
