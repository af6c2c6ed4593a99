import { verify } from "node:crypto";
import { gunzipSync } from "node:zlib";
import type { Sql } from "../../data/client.ts";
import {
  type CheckpointRow,
  findLogCheckpoint,
  findLogKey,
  findLogRecords,
  findLogTile,
  type LogRecord,
} from "../../data/directory/log/log.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { importPublicJwk } from "../../kernel/crypto/jws.ts";
import { canonicalJson } from "../../kernel/text/canonical-json.ts";
import { extendTiles } from "../rules/log/extend-tiles.ts";
import { emptyRoot } from "../rules/log/merkle.ts";
import {
  compressedLevel,
  entriesLevel,
  type ReadTile,
  rangeHash,
  sliceTile,
  type TileName,
  tileWidth,
  widthOf,
} from "../rules/log/tiles.ts";

/**
 * Recomputes the published tree from the entries, and compares the tree with every tile and the checkpoint. Also
 * compares each entry with its document. Reads the whole log and changes nothing.
 * @returns the problems. Entries are verified in groups of 256: the first group with problems ends the verification.
 */
export const verifyLog = async (sql: Sql): Promise<string[]> => {
  const checkpoint = await findLogCheckpoint(sql);
  if (!checkpoint) return [];
  const { size } = checkpoint;
  for (let start = 0; start < size; start += tileWidth) {
    const problems = await verifyEntries(sql, { start, end: Math.min(start + tileWidth, size) });
    if (problems.length > 0) return problems;
  }
  const rootHash = size === 0 ? emptyRoot() : await rangeHash({ start: 0, end: size }, readStored(sql));
  return [...checkpointProblems(checkpoint, rootHash), ...(await signatureProblems(sql, checkpoint))];
};

const readStored =
  (sql: Sql): ReadTile =>
  async (name) =>
    (await findLogTile(sql, name)) ?? Buffer.alloc(0);

/** @param range begins at the start of a tile of entries. All entries before it have been verified. */
const verifyEntries = async (sql: Sql, { start, end }: { start: number; end: number }): Promise<string[]> => {
  const records = await findLogRecords(sql, { start, end });
  if (records.length !== end - start) return [`entries ${start} to ${end - 1} are incomplete`];
  const changed = records.flatMap(recordProblems);
  if (changed.length > 0) return changed;
  const read = readStored(sql);
  const tiles = await extendTiles({
    size: start,
    entries: records.map(({ entry }) => Buffer.from(entry)),
    read: async (name: TileName) => sliceTile(name.level, await read(name), widthOf(name, start)),
  });
  const problems: string[] = [];
  for (const { bytes, ...name } of tiles) {
    const stored = await read(name);
    if (!stored.subarray(0, bytes.length).equals(bytes))
      problems.push(`tile ${name.number} of level ${name.level} differs from the entries`);
  }
  return problems.length > 0 ? problems : compressedProblems(sql, start / tileWidth);
};

const compressedProblems = async (sql: Sql, number: number): Promise<string[]> => {
  const compressed = await findLogTile(sql, { level: compressedLevel, number });
  if (!compressed) return [];
  const bundle = await readStored(sql)({ level: entriesLevel, number });
  return decompress(compressed)?.equals(bundle) ? [] : [`the compressed bundle ${number} differs from the entries`];
};

const decompress = (bytes: Buffer): Buffer | null => {
  try {
    return gunzipSync(bytes);
  } catch {
    return null;
  }
};

const recordProblems = ({ index, entry, participantId, version, document }: LogRecord): string[] => {
  const { participant_id, version: entryVersion, document_sha256 } = JSON.parse(entry) as Record<string, unknown>;
  const isOwn = participant_id === participantId && entryVersion === version;
  const isDocument = document_sha256 === sha256Base64url(canonicalJson(document));
  return isOwn && isDocument
    ? []
    : [`entry ${index} doesn't match the document of ${participantId}, version ${version}`];
};

const checkpointProblems = ({ size, note, rootHash }: CheckpointRow, computed: Buffer): string[] => {
  const [, noteSize, noteRoot] = note.split("\n");
  const isNote = noteSize === String(size) && noteRoot === rootHash.toString("base64");
  return computed.equals(rootHash) && isNote ? [] : ["the checkpoint differs from the root of the entries"];
};

const signatureProblems = async (sql: Sql, { note }: CheckpointRow): Promise<string[]> => {
  const key = await findLogKey(sql);
  const publicKey = key && importPublicJwk({ kty: "OKP", crv: "Ed25519", x: key.publicKey.toString("base64url") });
  const text = note.slice(0, note.indexOf("\n\n") + 1);
  const signature = Buffer.from(note.trimEnd().split(" ").at(-1) ?? "", "base64").subarray(4);
  const isSigned = publicKey !== null && verify(null, Buffer.from(text), publicKey, signature);
  return isSigned ? [] : ["the checkpoint isn't signed by the log's key"];
};
