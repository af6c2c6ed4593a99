import type { Json, JsonObject } from "../../kernel/text/json.ts";
import { type Sql, statement } from "../client.ts";
import { beginHealthChecks, endHealthChecks } from "./participant-health.ts";

/** The two parts of a snapshot: the metadata document, and the JWK Set that it names. */
export type MetadataPart = "metadata" | "jwks";

const listUris = statement<{ uri: string }>(
  "list_participant_metadata_uris",
  "SELECT uri FROM participant_metadata WHERE participant_id = $1 ORDER BY uri",
);
const remove = statement<never>(
  "delete_participant_metadata",
  "DELETE FROM participant_metadata WHERE participant_id = $1 AND uri <> ALL ($2::text[])",
);
const insert = statement<never>(
  "insert_participant_metadata",
  `INSERT INTO participant_metadata (participant_id, uri) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
);

/**
 * Replaces the URLs of a participant's metadata. The caller has locked the participant. To avoid a deadlock, the row of
 * the participant's health is locked before the documents, as in the hourly check.
 */
export const replaceMetadataUris = async (
  sql: Sql,
  participantId: string,
  { uris, at }: { uris: readonly string[]; at: Date },
): Promise<void> => {
  const known = (await sql.query(listUris, [participantId])).map(({ uri }) => uri);
  const wanted = new Set(uris);
  if (known.length === wanted.size && known.every((uri) => wanted.has(uri))) return;
  if (wanted.size === 0) await endHealthChecks(sql, participantId);
  else await beginHealthChecks(sql, participantId, at);
  await sql.query(remove, [participantId, [...wanted]]);
  await sql.query(insert, [participantId, [...wanted]]);
};

export type Fingerprints = { uri: string; documentSha256: string | null; jwksSha256: string | null };

const fingerprints = statement<Fingerprints>(
  "find_participant_metadata_fingerprints",
  `SELECT uri, document_sha256 AS "documentSha256", jwks_sha256 AS "jwksSha256"
     FROM participant_metadata WHERE participant_id = $1`,
);

export const findMetadataFingerprints = (sql: Sql, participantId: string): Promise<Fingerprints[]> =>
  sql.query(fingerprints, [participantId]);

type Place = { participantId: string; uri: string };

export type MetadataSnapshot = {
  uri: string;
  /** null: not fetched yet */
  document: JsonObject | null;
  /** null: not fetched yet, or the document names none */
  jwks: JsonObject | null;
  fetchedAt: Date | null;
  /** null: never */
  changedAt: Date | null;
};

const snapshots = statement<MetadataSnapshot>(
  "find_participant_metadata",
  `SELECT uri, document, jwks, fetched_at AS "fetchedAt", changed_at AS "changedAt"
     FROM participant_metadata WHERE participant_id = $1 AND ($2::text IS NULL OR uri = $2) ORDER BY uri`,
);

/** Sorted by URL. @param uri null: all documents. */
export const findMetadataSnapshots = (
  sql: Sql,
  { participantId, uri }: { participantId: string; uri: string | null },
): Promise<MetadataSnapshot[]> => sql.query(snapshots, [participantId, uri]);

export type MetadataTimes = Pick<MetadataSnapshot, "uri" | "fetchedAt" | "changedAt">;

const times = statement<MetadataTimes>(
  "find_participant_metadata_times",
  `SELECT uri, fetched_at AS "fetchedAt", changed_at AS "changedAt"
     FROM participant_metadata WHERE participant_id = $1 ORDER BY uri`,
);

/** The times of all documents, without their snapshots. */
export const findMetadataTimes = (sql: Sql, participantId: string): Promise<MetadataTimes[]> =>
  sql.query(times, [participantId]);

const touch = statement<never>(
  "mark_participant_metadata_fetched",
  "UPDATE participant_metadata SET fetched_at = $3::timestamptz WHERE participant_id = $1 AND uri = $2",
);

/** Records a fetch that found the same document and keys as before. */
export const markMetadataFetched = async (sql: Sql, { participantId, uri }: Place, at: Date): Promise<void> => {
  await sql.query(touch, [participantId, uri, at]);
};

const save = statement<never>(
  "save_participant_metadata",
  `UPDATE participant_metadata SET document = $3::jsonb, document_sha256 = $4, jwks = $5::jsonb, jwks_sha256 = $6::text,
          fetched_at = $7::timestamptz, changed_at = CASE WHEN document IS NOT NULL THEN $7::timestamptz END
    WHERE participant_id = $1 AND uri = $2`,
);

export type NewSnapshot = {
  document: JsonObject;
  documentSha256: string;
  jwks: JsonObject | null;
  jwksSha256: string | null;
};

/** The first snapshot of a document isn't a change. */
export const saveMetadataSnapshot = async (
  sql: Sql,
  { participantId, uri }: Place,
  { document, documentSha256, jwks, jwksSha256, at }: NewSnapshot & { at: Date },
): Promise<void> => {
  const keys = jwks === null ? null : JSON.stringify(jwks);
  await sql.query(save, [participantId, uri, JSON.stringify(document), documentSha256, keys, jwksSha256, at]);
};

export type MetadataChangeRow = { uri: string; part: MetadataPart; changedAt: Date; diff: Json[] };

const insertChange = statement<never>(
  "insert_participant_metadata_change",
  `INSERT INTO participant_metadata_change (participant_id, uri, part, changed_at, diff) VALUES ($1, $2, $3, $4::timestamptz, $5::jsonb)`,
);

export const insertMetadataChange = async (
  sql: Sql,
  participantId: string,
  { uri, part, changedAt, diff }: Omit<MetadataChangeRow, "diff"> & { diff: readonly object[] },
): Promise<void> => {
  await sql.query(insertChange, [participantId, uri, part, changedAt, JSON.stringify(diff)]);
};

const trim = statement<never>(
  "trim_participant_metadata_changes",
  `DELETE FROM participant_metadata_change WHERE participant_id = $1 AND id <=
     (SELECT id FROM participant_metadata_change WHERE participant_id = $1 ORDER BY id DESC OFFSET $2::int LIMIT 1)`,
);

/** Deletes all except the newest changes of a participant. */
export const trimMetadataChanges = async (sql: Sql, participantId: string, kept: number): Promise<void> => {
  await sql.query(trim, [participantId, kept]);
};

const listChanges = statement<MetadataChangeRow>(
  "list_participant_metadata_changes",
  `SELECT uri, part, changed_at AS "changedAt", diff FROM participant_metadata_change
    WHERE participant_id = $1 ORDER BY id DESC LIMIT $2::int`,
);

/** Newest first. */
export const findMetadataChanges = (sql: Sql, participantId: string, limit: number): Promise<MetadataChangeRow[]> =>
  sql.query(listChanges, [participantId, limit]);
