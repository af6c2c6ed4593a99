import { DomainError } from "./errors.ts";

/** Where a row stands in a list that is ordered by an instant, then by id. */
export type Place = { at: Date; id: string };

/** A page behind `after`, or the one directly before `before`, at most one of which is given; else the list's first. */
export type Page = { limit: number; after: Place | null; before: Place | null };

/** A page as it is asked for, by ids. */
export type PageRequest = { limit: number; startingAfter: string | null; endingBefore: string | null };

/**
 * @param find the place of an id in this very list; null where it names nothing of it, whoever else's it may be.
 * @throws DomainError invalid_request naming the parameter.
 */
export const findPage = async (
  { limit, startingAfter, endingBefore }: PageRequest,
  noun: string,
  find: (id: string) => Promise<Place | null>,
): Promise<Page> => {
  const placeOf = async (name: string, id: string | null): Promise<Place | null> => {
    if (id === null) return null;
    const place = await find(id);
    if (!place) throw unknownCursor(name, noun);
    return place;
  };
  const after = await placeOf("starting_after", startingAfter);
  return { limit, after, before: await placeOf("ending_before", endingBefore) };
};

const unknownCursor = (name: string, noun: string): DomainError =>
  new DomainError("invalid", "invalid_request", `${name} is not the id of a ${noun} in this list.`, {
    errors: [{ pointer: `#${name}`, detail: `is not the id of a ${noun} in this list` }],
  });

/**
 * @param rows of a page, one more than its limit where there are more; those before a place come nearest first.
 * @returns them in the list's order, and whether there are more in the direction of the page.
 */
export const cutPage = <Row>(rows: readonly Row[], { limit, before }: Page): { rows: Row[]; hasMore: boolean } => {
  const kept = rows.slice(0, limit);
  return { rows: before ? kept.toReversed() : kept, hasMore: rows.length > limit };
};
