import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { type HealthCheckRow, type HealthResult, recordHealth } from "../../data/directory/participant-health.ts";
import {
  type Fingerprints,
  findMetadataFingerprints,
  findMetadataSnapshots,
  insertMetadataChange,
  type MetadataPart,
  markMetadataFetched,
  type NewSnapshot,
  saveMetadataSnapshot,
  trimMetadataChanges,
} from "../../data/directory/participant-metadata.ts";
import type { ParticipantRow } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { canonicalJson } from "../../kernel/text/canonical-json.ts";
import { queueMailToEach } from "../../platform/mail/queue-mail-to-all.ts";
import { findOwnerAddresses } from "../domains/find-owner-addresses.ts";
import { diffJson } from "../rules/json-patch.ts";
import type { FetchedMetadata } from "./fetch-metadata.ts";

/** Number of changes that are kept for a participant. */
const maxChanges = 20;

type Check = {
  check: HealthCheckRow;
  row: ParticipantRow;
  result: HealthResult;
  fetched: readonly FetchedMetadata[];
  requestId: string;
};
type Change = { uri: string; part: MetadataPart };

/**
 * Records a check. In the same transaction, each difference from the earlier snapshots is stored as a change, and the
 * owner gets an e-mail about the changes. Nothing is recorded if the check no longer belongs to this worker.
 */
export const recordCheck = (
  { db, config, clock }: Pick<Deps, "db" | "config" | "clock">,
  { check, row, result, fetched, requestId }: Check,
): Promise<void> =>
  db.sqlTransaction(async (sql) => {
    if (!(await recordHealth(sql, check, result))) return;
    const { at } = result;
    const known = await findMetadataFingerprints(sql, row.id);
    const changes: Change[] = [];
    for (const one of fetched) {
      const before = known.find(({ uri }) => uri === one.uri);
      if (before) changes.push(...(await recordSnapshot(sql, { participantId: row.id, before, fetched: one, at })));
    }
    if (changes.length === 0) return;
    await trimMetadataChanges(sql, row.id, maxChanges);
    await appendAudit(sql, {
      at,
      actor: { kind: "system", id: "health-checks" },
      requestId,
      action: "participant.metadata_changed",
      subjectId: row.id,
      data: {
        documents: changes.map(({ uri, part }) => ({ uri, part })),
        ...(row.merchantId === null ? {} : { merchant_id: row.merchantId }),
      },
    });
    const recipients = await findOwnerAddresses(sql, row);
    const entryUrl = `${config.discoveryUrl}/${row.id}#health`;
    const about = { participantName: row.displayName, changes, at, entryUrl };
    const content = (timeZone: string) => ({ kind: "metadata_changed" as const, ...about, timeZone });
    await queueMailToEach({ config, clock }, sql, { recipients, content, requestId });
  });

type Snapshot = { participantId: string; before: Fingerprints; fetched: FetchedMetadata; at: Date };

/** @returns the changed parts; none if this is the first snapshot. */
const recordSnapshot = async (sql: Sql, { participantId, before, fetched, at }: Snapshot): Promise<Change[]> => {
  const { uri } = fetched;
  const snapshot = snapshotOf(fetched);
  const isSame = {
    metadata: before.documentSha256 === snapshot.documentSha256,
    jwks: before.jwksSha256 === snapshot.jwksSha256,
  };
  if (isSame.metadata && isSame.jwks) {
    await markMetadataFetched(sql, { participantId, uri }, at);
    return [];
  }
  const [old] = before.documentSha256 === null ? [] : await findMetadataSnapshots(sql, { participantId, uri });
  await saveMetadataSnapshot(sql, { participantId, uri }, { ...snapshot, at });
  if (!old) return [];
  const changed = (["metadata", "jwks"] as const).filter((part) => !isSame[part]);
  for (const part of changed) {
    const diff = part === "jwks" ? diffJson(old.jwks, snapshot.jwks) : diffJson(old.document, snapshot.document);
    await insertMetadataChange(sql, participantId, { uri, part, changedAt: at, diff });
  }
  return changed.map((part) => ({ uri, part }));
};

const snapshotOf = ({ document, jwks }: FetchedMetadata): NewSnapshot => ({
  document,
  documentSha256: sha256Base64url(canonicalJson(document)),
  jwks,
  jwksSha256: jwks === null ? null : sha256Base64url(canonicalJson(jwks)),
});
