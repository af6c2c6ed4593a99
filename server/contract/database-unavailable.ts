import { isUnavailable } from "../data/unavailable.ts";
import { DomainError, isDomainError } from "../kernel/errors.ts";

/** The answer while the database can't be reached: 503. The caller may repeat the request. */
export const databaseUnavailableError = (cause: unknown): DomainError =>
  new DomainError("unavailable", {
    code: "temporarily_unavailable",
    message: "The service can't reach its database. Try again shortly.",
    headers: { "retry-after": "2" },
    cause,
  });

/**
 * The error for a caller who may try again, if `error` or its cause means that the database or another dependency is
 * unavailable; otherwise null. tRPC's errors have a domain error as their cause.
 */
export const findUnavailableError = (error: unknown): DomainError | null => {
  const own = error instanceof Error && isDomainError(error.cause) ? error.cause : error;
  if (isDomainError(own)) return own.kind === "unavailable" ? own : null;
  return isUnavailable(own) ? databaseUnavailableError(own) : null;
};
