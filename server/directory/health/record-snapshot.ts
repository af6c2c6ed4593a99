import type { Sql } from "../../data/client.ts";
import {
  findMetadataFingerprints,
  findMetadataSnapshots,
  insertMetadataChange,
  type MetadataPart,
  markMetadataFetched,
  type NewSnapshot,
  saveMetadataSnapshot,
} from "../../data/directory/participant-metadata.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { canonicalJson } from "../../kernel/text/canonical-json.ts";
import { diffJson } from "../rules/json-patch.ts";
import type { FetchedMetadata } from "./fetch-metadata.ts";

export type MetadataChange = { uri: string; part: MetadataPart };

type Snapshot = { participantId: string; fetched: FetchedMetadata; at: Date };

/**
 * Stores a fetched document and its JWK Set, and each difference from the earlier snapshot as a change.
 * @returns the changed parts; none if this is the first snapshot, or if the document was removed from the entry.
 */
export const recordSnapshot = async (sql: Sql, { participantId, fetched, at }: Snapshot): Promise<MetadataChange[]> => {
  const { uri } = fetched;
  const before = (await findMetadataFingerprints(sql, participantId)).find((one) => one.uri === uri);
  if (!before) return [];
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
