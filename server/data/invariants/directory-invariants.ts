import { type Invariant, invariant } from "./invariant.ts";

/** The history of participants and its indexes in the log (docs/spec/directory.md, Transparency log). */
export const directoryInvariants: readonly Invariant[] = [
  invariant(
    "participant_versions",
    "the versions of a participant are numbered without gaps up to its current version",
    `SELECT p.id AS subject, format('version %s with %s versions up to %s', p.version, count(v.version), max(v.version)) AS problem
     FROM participant p LEFT JOIN participant_version v ON v.participant_id = p.id
     GROUP BY p.id, p.version HAVING count(v.version) <> p.version OR coalesce(max(v.version), 0) <> p.version`,
  ),
  invariant(
    "participant_of_merchant_client",
    "a merchant's clients belong to the directory entry of this merchant",
    `SELECT c.id AS subject, format('of %s in the entry %s of %s', c.merchant_id, p.id, coalesce(p.merchant_id, 'no merchant')) AS problem
     FROM client c JOIN participant p ON p.id = c.participant_id
     WHERE c.merchant_id IS NOT NULL AND p.merchant_id IS DISTINCT FROM c.merchant_id`,
  ),
  invariant(
    "directory_log_places",
    "each version of a participant has one index in the directory's log, and the indexes have no gaps",
    `SELECT 'log' AS subject, format('size %s, %s places up to %s, %s versions', s.size, e.places, e.last, v.versions) AS problem
     FROM (SELECT coalesce(max(size), 0) AS size FROM directory_log) s,
          (SELECT count(*) AS places, coalesce(max(log_index), -1) AS last FROM directory_log_entry) e,
          (SELECT count(*) AS versions FROM participant_version) v
     WHERE s.size <> e.places OR e.last <> s.size - 1 OR v.versions <> s.size`,
  ),
];
