import { type Sql, statement } from "../../client.ts";

export type ChangePage = { body: string; etag: string };
type PageName = { rendering: string; first: number };

const find = statement<ChangePage>(
  "find_change_page",
  "SELECT body, etag FROM directory_change_page WHERE rendering = $1 AND first = $2::bigint",
);

/** A stored page; null if it isn't stored. */
export const findChangePage = async (sql: Sql, { rendering, first }: PageName): Promise<ChangePage | null> =>
  (await sql.query(find, [rendering, first]))[0] ?? null;

const last = statement<{ first: number | null }>(
  "find_last_change_page",
  "SELECT max(first)::float8 AS first FROM directory_change_page WHERE rendering = $1",
);

/** The first index of the last stored page; null if none is stored. */
export const findLastChangePage = async (sql: Sql, rendering: string): Promise<number | null> =>
  (await sql.query(last, [rendering]))[0]?.first ?? null;

const insert = statement<never>(
  "insert_change_page",
  `INSERT INTO directory_change_page (rendering, first, body, etag, stored_at)
   VALUES ($1, $2::bigint, $3, $4, $5::timestamptz) ON CONFLICT DO NOTHING`,
);

export const insertChangePage = async (
  sql: Sql,
  { rendering, first, body, etag, at }: PageName & ChangePage & { at: Date },
): Promise<void> => {
  await sql.query(insert, [rendering, first, body, etag, at]);
};

const deleteOthers = statement<never>(
  "delete_other_change_pages",
  `DELETE FROM directory_change_page WHERE ctid IN (
     SELECT ctid FROM directory_change_page WHERE rendering <> ALL ($1::text[]) AND stored_at < $2::timestamptz LIMIT 200)`,
);

/** Deletes up to 200 pages that were stored before `before` and whose rendering isn't in `renderings`. */
export const deleteOtherChangePages = async (
  sql: Sql,
  { renderings, before }: { renderings: readonly string[]; before: Date },
): Promise<void> => {
  await sql.query(deleteOthers, [renderings, before]);
};
