import { z } from "zod";
import { DomainError } from "../kernel/errors.ts";

/** Of a list that is told newest first: how many, and after which one. */
export const pageQuerySchema = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, "must be a whole number from 1 to 100")
    .optional(),
  starting_after: z.string().min(1).max(64).optional(),
});

/** @throws DomainError for a limit outside 1 to 100. */
export const toPage = (query: z.infer<typeof pageQuerySchema>) => {
  const limit = query.limit === undefined ? 20 : Number(query.limit);
  if (limit < 1 || limit > 100) {
    const errors = [{ pointer: "#limit", detail: "must be a whole number from 1 to 100" }];
    throw new DomainError("invalid", "invalid_request", "limit must be a whole number from 1 to 100.", { errors });
  }
  return { limit, startingAfter: query.starting_after ?? null };
};
