import { fieldRefusal } from "./errors.ts";

/** The position of a row in a list that is ordered by time, then by id. */
export type Place = { at: Date; id: string };

/**
 * The page after `after`, or the page directly before `before`. At most one of them is given. If neither is given, this
 * is the first page.
 */
export type Page = { limit: number; after: Place | null; before: Place | null };

/** A requested page, by ids. */
export type PageRequest = { limit: number; startingAfter: string | null; endingBefore: string | null };

/**
 * @param find returns the position of an id in this list; null if the id isn't in it, for example another party's id.
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
    if (!place) throw fieldRefusal(`#${name}`, `is not the ID of ${withArticle(noun)} in this list`);
    return place;
  };
  const after = await placeOf("starting_after", startingAfter);
  return { limit, after, before: await placeOf("ending_before", endingBefore) };
};

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

/**
 * @param rows the page's rows, plus one if the list continues. For a page before a position, the nearest row is first.
 * @returns the rows in the list's order, and whether there are more in the page's direction.
 */
export const cutPage = <Row>(rows: readonly Row[], { limit, before }: Page): { rows: Row[]; hasMore: boolean } => {
  const kept = rows.slice(0, limit);
  return { rows: before ? kept.toReversed() : kept, hasMore: rows.length > limit };
};
