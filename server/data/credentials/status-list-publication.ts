import { type Sql, statement } from "../client.ts";
import type { StatusListKind } from "./status-lists.ts";

const findDue = statement<{ number: number }>(
  "find_due_status_lists",
  `SELECT DISTINCT list.number FROM status_list list
   WHERE (list.built_at IS NULL OR list.built_at <= $1::timestamptz)
     AND (list.body IS NULL OR list.valid_until <= $2::timestamptz OR list.kid IS DISTINCT FROM $3
       OR EXISTS (SELECT FROM status_change change WHERE change.list_number = list.number))
   ORDER BY list.number`,
);

/**
 * Numbers of the lists to build: those that lack a changed bit, expire soon or were signed by another key, except lists
 * that were just built.
 */
export const findDueListNumbers = async (
  sql: Sql,
  due: { builtBefore: Date; endingBefore: Date; kid: string },
): Promise<number[]> =>
  (await sql.query(findDue, [due.builtBefore, due.endingBefore, due.kid])).map((row) => row.number);

const lockLists = statement<{ id: string; kind: StatusListKind; builtAt: Date | null }>(
  "lock_status_lists",
  `SELECT id, kind, built_at AS "builtAt" FROM status_list WHERE number = $1::int ORDER BY id FOR UPDATE SKIP LOCKED`,
);

/** @returns the lists of one number, locked; fewer than three if another process builds them. */
export const lockListsOfNumber = (sql: Sql, number: number) => sql.query(lockLists, [number]);

const deleteChanges = statement<never>("take_status_changes", "DELETE FROM status_change WHERE list_number = $1::int");

const findFlagged = statement<{ revoked: number[]; suspended: number[] }>(
  "find_flagged_indexes",
  `SELECT coalesce(array_agg(status_index) FILTER (WHERE revoked), '{}') AS revoked,
     coalesce(array_agg(status_index) FILTER (WHERE suspended), '{}') AS suspended
   FROM mandate_version WHERE list_number = $1::int AND (revoked OR suspended)`,
);

/**
 * Reads the bits of one number and consumes the changes that they include. The changes are consumed first: if a bit is
 * committed between the two statements, it is read and its change remains. So a list may be built twice, but no change
 * is missed.
 */
export const takeFlaggedIndexes = async (
  sql: Sql,
  number: number,
): Promise<{ revoked: number[]; suspended: number[] }> => {
  await sql.query(deleteChanges, [number]);
  const [flagged] = await sql.query(findFlagged, [number]);
  return flagged ?? { revoked: [], suspended: [] };
};

const updateList = statement<never>(
  "store_status_list",
  `UPDATE status_list SET body = $2, etag = $3, kid = $4, built_at = $5::timestamptz, valid_until = $6::timestamptz
   WHERE id = $1`,
);

export type BuiltList = { id: string; body: string; etag: string; kid: string; builtAt: Date; validUntil: Date };

export const storeList = async (sql: Sql, list: BuiltList): Promise<void> => {
  await sql.query(updateList, [list.id, list.body, list.etag, list.kid, list.builtAt, list.validUntil]);
};

const findFlaggedAt = statement<{ revoked: number[]; suspended: number[] }>(
  "find_flagged_indexes_at",
  `SELECT ARRAY(SELECT status_index FROM mandate_version
       WHERE list_number = $1::int AND revoked AND revoked_at <= $2::timestamptz) AS revoked,
     ARRAY(SELECT status_index FROM status_suspension
       WHERE list_number = $1::int AND suspended_at <= $2::timestamptz
         AND (lifted_at IS NULL OR lifted_at > $2::timestamptz)) AS suspended`,
);

/** The bits of one number at an earlier time. */
export const findFlaggedIndexesAt = async (
  sql: Sql,
  number: number,
  at: Date,
): Promise<{ revoked: number[]; suspended: number[] }> =>
  (await sql.query(findFlaggedAt, [number, at]))[0] ?? { revoked: [], suspended: [] };

export type PublishedList = { id: string; kind: StatusListKind; number: number; openedAt: Date; etag: string | null };

const findCatalog = statement<PublishedList>(
  "find_status_list_catalog",
  `SELECT id, kind, number, opened_at AS "openedAt", etag FROM status_list ORDER BY number, kind`,
);

/** All lists without their bodies; `etag` is null before the first build. */
export const findListCatalog = (sql: Sql): Promise<PublishedList[]> => sql.query(findCatalog, []);

const findBody = statement<{ body: string; etag: string; validUntil: Date }>(
  "find_status_list_body",
  `SELECT body, etag, valid_until AS "validUntil" FROM status_list WHERE id = $1 AND body IS NOT NULL`,
);

export const findListBody = async (
  sql: Sql,
  id: string,
): Promise<{ body: string; etag: string; validUntil: Date } | null> => (await sql.query(findBody, [id]))[0] ?? null;
