import { DomainError } from "../kernel/errors.ts";

/** The answer while the database can't be reached: 503, and the request may be repeated. */
export const databaseUnavailableError = (cause: unknown): DomainError =>
  new DomainError("unavailable", {
    code: "temporarily_unavailable",
    message: "The service can't reach its database. Try again shortly.",
    headers: { "retry-after": "2" },
    cause,
  });
