import { type Bytes, concat, sha256 } from "../../wire/bytes.ts";

// The Merkle tree hash of RFC 6962 §2.1: a leaf and an inner node have different prefixes, so that one can't be
// presented as the other.

export const hashLeaf = (entry: Bytes): Promise<Bytes> => sha256(concat(Uint8Array.of(0), entry));

const hashChildren = (left: Bytes, right: Bytes): Promise<Bytes> => sha256(concat(Uint8Array.of(1), left, right));

type Inclusion = { leafHash: Bytes; index: number; treeSize: number; proof: readonly Bytes[] };

/**
 * The root that the proof leads to (RFC 9162 §2.1.3.2). The index and the tree size can exceed 32 bits, so
 * they are divided, not shifted.
 * @returns null if the proof is too long or too short for the index.
 */
export const rootOfProof = async ({ leafHash, index, treeSize, proof }: Inclusion): Promise<Bytes | null> => {
  let [node, last, hash] = [index, treeSize - 1, leafHash];
  const up = () => {
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  };
  for (const sibling of proof) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      hash = await hashChildren(sibling, hash);
      // Levels on which the node has no sibling add no hash.
      while (node % 2 === 0 && node !== 0) up();
    } else {
      hash = await hashChildren(hash, sibling);
    }
    up();
  }
  return last === 0 ? hash : null;
};
