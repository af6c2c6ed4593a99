import { hash } from "node:crypto";

/** Hashes of RFC 6962 §2.1, with SHA-256. */
export const hashLength = 32;

export const leafHash = (entry: Uint8Array): Buffer => sha256(Buffer.concat([Buffer.of(0), entry]));

export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  sha256(Buffer.concat([Buffer.of(1), left, right]));

/** Root of the tree without entries. */
export const emptyRoot = (): Buffer => sha256(Buffer.alloc(0));

const sha256 = (bytes: Buffer): Buffer => hash("sha256", bytes, "buffer");

/** Root of a complete subtree. @param hashes their number is a power of two. */
export const hashOfNodes = (hashes: readonly Buffer[]): Buffer => {
  let row = hashes;
  while (row.length > 1) {
    row = Array.from({ length: row.length / 2 }, (_, index) =>
      nodeHash(row[2 * index] ?? Buffer.alloc(0), row[2 * index + 1] ?? Buffer.alloc(0)),
    );
  }
  return row[0] ?? emptyRoot();
};

/** Half-open: the entries from `start` up to, not including, `end`. */
export type Range = { start: number; end: number };

/** The largest power of two that is less than `count` (RFC 6962 §2.1: "k"). @param count at least 2. */
export const splitOf = (count: number): number => {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
};

/** The ranges whose hashes prove that an entry is in a tree (RFC 6962 §2.1.1), in the order of the proof. */
export const inclusionRanges = (index: number, { start, end }: Range): Range[] => {
  if (end - start <= 1) return [];
  const middle = start + splitOf(end - start);
  return index < middle
    ? [...inclusionRanges(index, { start, end: middle }), { start: middle, end }]
    : [...inclusionRanges(index, { start: middle, end }), { start, end: middle }];
};

/**
 * The ranges whose hashes prove that a tree of size `to` continues the tree of size `from` (RFC 6962 §2.1.2). There are
 * none if the earlier tree is empty or the trees are equal.
 */
export const consistencyRanges = (from: number, to: number): Range[] =>
  from === 0 || from === to ? [] : continuedBy(from, { start: 0, end: to }, true);

/** @param isKnown whether `start` is 0. If the range then ends at `from`, it is the earlier tree: its hash is known. */
const continuedBy = (from: number, { start, end }: Range, isKnown: boolean): Range[] => {
  if (from === end) return isKnown ? [] : [{ start, end }];
  const middle = start + splitOf(end - start);
  return from <= middle
    ? [...continuedBy(from, { start, end: middle }, isKnown), { start: middle, end }]
    : [...continuedBy(from, { start: middle, end }, false), { start, end: middle }];
};
