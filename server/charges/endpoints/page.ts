import { DomainError } from "../../kernel/errors.ts";

/** @throws DomainError for a limit outside 1 to 100. */
export const toPage = (query: { limit?: string | undefined; starting_after?: string | undefined }) => {
  const limit = query.limit === undefined ? 20 : Number(query.limit);
  if (limit < 1 || limit > 100) {
    const errors = [{ pointer: "#limit", detail: "must be a whole number from 1 to 100" }];
    throw new DomainError("invalid", "invalid_request", "limit must be a whole number from 1 to 100.", { errors });
  }
  return { limit, startingAfter: query.starting_after ?? null };
};
