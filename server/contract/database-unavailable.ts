import { DomainError } from "../kernel/errors.ts";

/** The answer while the database can't be reached: 503. The caller may repeat the request. */
export const databaseUnavailableError = (cause: unknown): DomainError =>
  new DomainError("unavailable", {
    code: "temporarily_unavailable",
    message: "The service can't reach its database. Try again shortly.",
    headers: { "retry-after": "2" },
    cause,
  });
