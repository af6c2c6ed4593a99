/** A page of a list. @property startingAfter id of the last row of the page before; null: the first page */
export type PageAfter = { startingAfter: string | null; limit: number };

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
