import { sqlState } from "../../data/client.ts";
import { DomainError } from "../../kernel/errors.ts";

const uniqueViolation = "23505";

/** Each thing that is told has an id of its own, made by the caller. */
export const takenUpdateIdRefusal = (what: "incident" | "maintenance", cause?: unknown): DomainError =>
  new DomainError("conflict", "update_id_taken", `Another ${what} was told this; load the page again.`, { cause });

/** For a transaction whose only id by the caller's choice is that one. @throws DomainError update_id_taken, or the error. */
export const refuseTakenUpdateId =
  (what: "incident" | "maintenance") =>
  (error: unknown): never => {
    throw sqlState(error) === uniqueViolation ? takenUpdateIdRefusal(what, error) : error;
  };
