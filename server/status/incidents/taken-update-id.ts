import { sqlState } from "../../data/client.ts";
import { DomainError } from "../../kernel/errors.ts";

const uniqueViolation = "23505";

/** Callers choose the id of each update; an id belongs to one incident or maintenance. */
export const takenUpdateIdRefusal = (subject: "incident" | "maintenance", cause?: unknown): DomainError =>
  new DomainError("conflict", {
    code: "update_id_taken",
    message: `This update was already posted to another ${subject}. Reload the page.`,
    cause,
  });

/**
 * Handles the error of a transaction that stores an update. Use it only if the update id is the only unique key that
 * the transaction can violate. @throws DomainError update_id_taken for a unique violation; otherwise the given error.
 */
export const refuseTakenUpdateId =
  (subject: "incident" | "maintenance") =>
  (error: unknown): never => {
    throw sqlState(error) === uniqueViolation ? takenUpdateIdRefusal(subject, error) : error;
  };
