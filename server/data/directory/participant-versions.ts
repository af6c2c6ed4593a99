import type { Json, JsonObject } from "../../kernel/text/json.ts";
import { type Sql, statement } from "../client.ts";

export type ParticipantVersionRow = {
  participantId: string;
  version: number;
  change: string;
  /** kind of the actor */
  changedBy: string;
  changedAt: Date;
  /** the participant's name at this version */
  displayName: string;
  document: JsonObject;
  /** JSON Patch (RFC 6902) from the previous version's document */
  diff: Json[];
  /** of the document's canonical JSON, base64url */
  documentSha256: string;
  /** index in the transparency log */
  logIndex: number;
};

const insert = statement<never>(
  "insert_participant_version",
  `WITH p AS (UPDATE participant SET version = $2::int, updated_at = $5::timestamptz, facets = $10::text[] WHERE id = $1)
   INSERT INTO participant_version (participant_id, version, change, changed_by, changed_at, document, diff, document_sha256, log_entry)
   VALUES ($1, $2::int, $3, $4, $5::timestamptz, $6::jsonb, $7::jsonb, $8, $9)`,
);

/**
 * Makes a version the current one of its participant, which the caller's transaction has locked. The commit of the
 * transaction gives the version its index in the log.
 */
export const insertParticipantVersion = async (
  sql: Sql,
  version: Omit<ParticipantVersionRow, "logIndex" | "diff" | "displayName"> & {
    diff: readonly object[];
    logEntry: string;
    facets: readonly string[];
  },
): Promise<void> => {
  await sql.query(insert, [
    version.participantId,
    version.version,
    version.change,
    version.changedBy,
    version.changedAt,
    JSON.stringify(version.document),
    JSON.stringify(version.diff),
    version.documentSha256,
    version.logEntry,
    version.facets,
  ]);
};

const latest = statement<{ document: JsonObject }>(
  "find_latest_participant_document",
  "SELECT document FROM participant_version WHERE participant_id = $1 ORDER BY version DESC LIMIT 1",
);

/** The document of the last version; null if there is none. */
export const findLatestDocument = async (sql: Sql, participantId: string): Promise<JsonObject | null> =>
  (await sql.query(latest, [participantId]))[0]?.document ?? null;

const keySets = statement<{ jwks: { keys?: unknown } | null }>(
  "find_participant_key_sets",
  `SELECT k.jwks FROM (
     SELECT coalesce(c.jwks, s.jwks) AS jwks, c.created_at, c.id
       FROM client c LEFT JOIN client_key_set s ON s.client_id = c.id
      WHERE c.participant_id = $1 AND c.deleted_at IS NULL
     UNION ALL SELECT d.jwks, p.created_at, p.id FROM participant p JOIN participant_metadata d ON d.participant_id = p.id
      WHERE p.id = $1 AND p.issuer IS NOT NULL
   ) k ORDER BY k.created_at, k.id`,
);

/**
 * The registered or last loaded keys of the participant's clients. For an authorization server that an operator listed,
 * those in the last snapshot of its JWK Set.
 */
export const findParticipantKeys = async (sql: Sql, participantId: string): Promise<unknown[]> =>
  (await sql.query(keySets, [participantId])).flatMap(({ jwks }) => (Array.isArray(jwks?.keys) ? jwks.keys : []));

const columns = `v.participant_id AS "participantId", v.version, v.change, v.changed_by AS "changedBy",
       v.changed_at AS "changedAt", v.document ->> 'display_name' AS "displayName", v.diff,
       v.document_sha256 AS "documentSha256", e.log_index::float8 AS "logIndex"`;
const from = `FROM participant_version v
       JOIN directory_log_entry e ON e.participant_id = v.participant_id AND e.version = v.version`;

const listVersions = statement<ParticipantVersionRow>(
  "list_participant_versions",
  `SELECT ${columns}, v.document ${from} WHERE v.participant_id = $1 AND v.version < coalesce($2::int, 2147483647)
    ORDER BY v.version DESC LIMIT $3::int`,
);

/** Newest first. Returns `limit` + 1 if there are more. */
export const findParticipantVersions = (
  sql: Sql,
  { participantId, before, limit }: { participantId: string; before: number | null; limit: number },
): Promise<ParticipantVersionRow[]> => sql.query(listVersions, [participantId, before, limit + 1]);

export type ParticipantChangeRow = Omit<ParticipantVersionRow, "document">;

const listChanges = statement<ParticipantChangeRow>(
  "list_participant_changes",
  `SELECT ${columns} ${from} WHERE e.log_index >= $1::bigint ORDER BY e.log_index LIMIT $2::int`,
);

/** In the order of the log. Returns `limit` + 1 if there are more. */
export const findParticipantChanges = (
  sql: Sql,
  { from: start, limit }: { from: number; limit: number },
): Promise<ParticipantChangeRow[]> => sql.query(listChanges, [start, limit + 1]);

const logIndex = statement<{ index: number }>(
  "find_log_index_of_version",
  `SELECT log_index::float8 AS "index" FROM directory_log_entry WHERE participant_id = $1 AND version = $2::int`,
);

/** The index of a version in the log. @throws Error if the version doesn't exist. */
export const getLogIndex = async (
  sql: Sql,
  { participantId, version }: { participantId: string; version: number },
): Promise<number> => {
  const [row] = await sql.query(logIndex, [participantId, version]);
  if (!row) throw new Error(`version ${version} of participant ${participantId} has no index in the log`);
  return row.index;
};

const unversioned = statement<{ id: string }>(
  "find_unversioned_participants",
  "SELECT id FROM participant WHERE version = 0 ORDER BY created_at, id LIMIT 100",
);

/** At most 100 participants without a version, oldest first. */
export const findUnversionedParticipants = async (sql: Sql): Promise<string[]> =>
  (await sql.query(unversioned, [])).map(({ id }) => id);
