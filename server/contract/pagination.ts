import { z } from "zod";
import { fieldRefusal } from "../kernel/errors.ts";
import type { PageRequest } from "../kernel/pagination.ts";

const cursor = z.string().min(1).max(64).optional();
const limitProblem = "must be a whole number from 1 to 100";

/** The query of a list that is paged by ids. */
export const pageQuerySchema = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, limitProblem)
    .optional()
    .describe("1 to 100; the default is 20"),
  starting_after: cursor.describe("Returns the page after this id, usually the last id of the previous page"),
  ending_before: cursor.describe("Returns the page before this id, usually the first id of the next page"),
});

/** @throws DomainError for a limit outside 1 to 100, and if both cursors are given. */
export const toPage = (query: z.infer<typeof pageQuerySchema>): PageRequest => {
  const limit = query.limit === undefined ? 20 : Number(query.limit);
  if (limit < 1 || limit > 100) throw fieldRefusal("#limit", limitProblem);
  const { starting_after: startingAfter = null, ending_before: endingBefore = null } = query;
  if (startingAfter !== null && endingBefore !== null)
    throw fieldRefusal("#ending_before", "can't be combined with starting_after");
  return { limit, startingAfter, endingBefore };
};

const instant = z.iso.datetime({ offset: true, error: "must be an RFC 3339 date and time" }).optional();

/** Half-open: includes the first instant and excludes the second. */
export const createdQuerySchema = z.object({
  created_from: instant.describe("Created at or after this time"),
  created_to: instant.describe("Created before this time"),
});

export type CreatedRange = { createdFrom: Date | null; createdTo: Date | null };

/** @throws DomainError for an empty range. */
export const toCreatedRange = (query: z.infer<typeof createdQuerySchema>): CreatedRange => {
  const [createdFrom, createdTo] = [query.created_from, query.created_to].map((text) =>
    text === undefined ? null : new Date(text),
  ) as [Date | null, Date | null];
  if (createdFrom && createdTo && createdFrom >= createdTo)
    throw fieldRefusal("#created_to", "must be after created_from");
  return { createdFrom, createdTo };
};
