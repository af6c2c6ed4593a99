import type { JsonObject } from "../../kernel/text/json.ts";
import { type Sql, statement } from "../client.ts";

/**
 * `revocation` and `suspension` are W3C lists, `token` is the IETF list. The three lists of one number share their
 * indexes.
 */
export type StatusListKind = "revocation" | "suspension" | "token";
export const statusListKinds: readonly StatusListKind[] = ["revocation", "suspension", "token"];

const insertMandateVersion = statement<{ isSuspended: boolean }>(
  "insert_mandate_version",
  `WITH superseded AS (
     UPDATE mandate_version SET superseded_at = $4::timestamptz
     WHERE mandate_id = $1 AND version < $2::int AND superseded_at IS NULL
   ), inserted AS (
     INSERT INTO mandate_version (mandate_id, version, details, list_number, status_index, suspended, created_at)
     SELECT $1, $2::int, $3::jsonb, $5::int, candidate.index,
       coalesce((SELECT state = 'suspended' FROM mandate WHERE id = $1), false), $4::timestamptz
     FROM unnest($6::int[]) WITH ORDINALITY AS candidate (index, place)
     WHERE NOT EXISTS (
       SELECT FROM mandate_version taken WHERE taken.list_number = $5::int AND taken.status_index = candidate.index
     )
     ORDER BY candidate.place LIMIT 1
     ON CONFLICT (list_number, status_index) DO NOTHING
     RETURNING suspended, list_number, status_index
   ), suspension AS (
     INSERT INTO status_suspension (list_number, status_index, suspended_at)
     SELECT list_number, status_index, $7::timestamptz FROM inserted WHERE suspended
   )
   SELECT suspended AS "isSuspended" FROM inserted`,
);

/**
 * Assigns the first free index of `candidates` in a list to a mandate version. A version of a suspended mandate starts
 * suspended.
 * @returns null if no candidate was free or another transaction took the chosen one. Then no version is inserted.
 */
export const insertVersionAtFreeIndex = async (
  sql: Sql,
  row: {
    mandateId: string;
    version: number;
    details: JsonObject;
    at: Date;
    /** the time from which its bits apply, in real time */
    listedAt: Date;
    listNumber: number;
    candidates: readonly number[];
  },
): Promise<{ isSuspended: boolean } | null> => {
  const { mandateId, version, details, at, listedAt, listNumber, candidates } = row;
  const values = [mandateId, version, JSON.stringify(details), at, listNumber, candidates, listedAt];
  const [inserted] = await sql.query(insertMandateVersion, values);
  return inserted ?? null;
};

const findNewestNumber = statement<{ number: number }>(
  "find_newest_status_list",
  "SELECT coalesce(max(number), 0) AS number FROM status_list WHERE kind = 'revocation'",
);

/** @returns 0 before the first list. */
export const newestListNumber = async (sql: Sql): Promise<number> =>
  (await sql.query(findNewestNumber, []))[0]?.number ?? 0;

const insertLists = statement<never>(
  "open_status_lists",
  `WITH opened AS (
     INSERT INTO status_list (id, kind, number, opened_at)
     SELECT kind || '-' || $1::int, kind, $1::int, $3::timestamptz FROM unnest($2::text[]) AS kind
     ON CONFLICT DO NOTHING RETURNING number
   )
   INSERT INTO status_change (list_number, at) SELECT DISTINCT number, $3::timestamptz FROM opened`,
);

/**
 * Opens the three lists of one number and requests their first build. Of several concurrent callers, one opens the
 * lists, and the others wait.
 */
export const openLists = async (sql: Sql, number: number, at: Date): Promise<void> => {
  await sql.query(insertLists, [number, statusListKinds, at]);
};

const insertChange = statement<never>(
  "insert_status_change",
  "INSERT INTO status_change (list_number, at) VALUES ($1::int, $2::timestamptz)",
);

/** Requests a build of the lists of one number. */
export const appendStatusChange = async (sql: Sql, listNumber: number, at: Date): Promise<void> => {
  await sql.query(insertChange, [listNumber, at]);
};

const updateStatus = statement<never>(
  "mark_status",
  `WITH before AS (
     SELECT mandate_id, version, list_number, status_index, suspended FROM mandate_version
     WHERE mandate_id = $1 AND ($2::int IS NULL OR version = $2::int)
       AND (($3::boolean AND NOT revoked) OR suspended IS DISTINCT FROM coalesce($4::boolean, suspended))
     ORDER BY version FOR UPDATE
   ), marked AS (
     UPDATE mandate_version v SET revoked = v.revoked OR $3::boolean, suspended = coalesce($4::boolean, v.suspended),
       revoked_at = CASE WHEN $3::boolean THEN coalesce(v.revoked_at, $5::timestamptz) ELSE v.revoked_at END
     FROM before WHERE v.mandate_id = before.mandate_id AND v.version = before.version
     RETURNING v.list_number
   ), suspension AS (
     INSERT INTO status_suspension (list_number, status_index, suspended_at)
     SELECT list_number, status_index, $5::timestamptz FROM before WHERE $4::boolean AND NOT suspended
   ), lifted AS (
     UPDATE status_suspension s SET lifted_at = $5::timestamptz FROM before
     WHERE NOT $4::boolean AND before.suspended AND s.lifted_at IS NULL
       AND s.list_number = before.list_number AND s.status_index = before.status_index
   )
   INSERT INTO status_change (list_number, at) SELECT DISTINCT list_number, $5::timestamptz FROM marked`,
);

/** Sets the bits of one version, or of all versions if null. Unchanged bits request no build. */
export const updateStatusBits = async (
  sql: Sql,
  change: { mandateId: string; version: number | null; revoked: boolean; suspended: boolean | null; at: Date },
): Promise<void> => {
  const { mandateId, version, revoked, suspended, at } = change;
  await sql.query(updateStatus, [mandateId, version, revoked, suspended, at]);
};
