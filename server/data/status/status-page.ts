/** A page of a list. @property startingAfter id of the last row of the page before; null: the first page */
export type PageAfter = { startingAfter: string | null; limit: number };

/** One row more than `limit`, so that the caller knows whether there are more. An unknown id gives an empty page. */
export const rowsAfter = ({ startingAfter, limit }: PageAfter) => ({
  take: limit + 1,
  ...(startingAfter === null ? {} : { cursor: { id: startingAfter }, skip: 1 }),
});

/** @param search a part of the title in upper or lower case, or an id; null: everything */
export const titleOrId = (search: string | null) =>
  search === null
    ? {}
    : {
        OR: [
          { id: search },
          // `contains` becomes a LIKE pattern, in which Prisma does not escape these characters.
          { title: { contains: search.replaceAll(/[\\%_]/g, "\\$&"), mode: "insensitive" as const } },
        ],
      };
