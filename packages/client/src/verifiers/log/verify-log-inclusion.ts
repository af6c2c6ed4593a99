import { VerificationError } from "../../errors/errors.ts";
import { areEqual, type Bytes, concat, fromBase64, utf8 } from "../../wire/bytes.ts";
import { openCheckpoint } from "./checkpoint.ts";
import { hashLeaf, rootOfProof } from "./merkle.ts";

export type LogInclusion = {
  /** the entry as it is in the log: bytes, or the text of its canonical JSON */
  entry: string | Uint8Array;
  index: number;
  /** size of the tree that the proof is for; must equal the size in the checkpoint */
  treeSize: number;
  /** hashes in base64, from the leaf to the root */
  proof: readonly string[];
  /** the signed note of `{discovery_url}/log/checkpoint` */
  checkpoint: string;
  /** the verifier key of `{discovery_url}/log/key`, from a source that you trust */
  logKey: string;
};

/** The entry is in the log with this tree head. */
export type VerifiedInclusion = { origin: string; index: number; treeSize: number };

const maxHashes = 64;

const readHash = (text: string): Bytes => {
  const hash = fromBase64(text);
  if (hash?.length === 32) return hash;
  throw new VerificationError("malformed", "proof must be a list of SHA-256 hashes in base64.");
};

/**
 * Checks offline that the log contains an entry (RFC 6962 §2.1.1, C2SP tlog-checkpoint).
 * @throws VerificationError proof_mismatch, tree_size_mismatch, invalid_signature, untrusted_issuer or malformed.
 */
export const verifyLogInclusion = async (inclusion: LogInclusion): Promise<VerifiedInclusion> => {
  const { entry, index, treeSize, proof, checkpoint, logKey } = inclusion;
  const head = await openCheckpoint(checkpoint, logKey);
  if (head.treeSize !== treeSize) {
    throw new VerificationError(
      "tree_size_mismatch",
      `The checkpoint has ${head.treeSize} entries, the proof ${treeSize}.`,
    );
  }
  const isInTree = Number.isSafeInteger(index) && index >= 0 && index < treeSize;
  if (!isInTree || proof.length > maxHashes)
    throw new VerificationError("proof_mismatch", "The index isn't in the tree, or the proof is too long.");
  const leafHash = await hashLeaf(typeof entry === "string" ? utf8(entry) : concat(entry));
  const root = await rootOfProof({ leafHash, index, treeSize, proof: proof.map(readHash) });
  if (root === null || !areEqual(root, head.rootHash)) {
    throw new VerificationError("proof_mismatch", "The proof doesn't lead from the entry to the checkpoint.");
  }
  return { origin: head.origin, index, treeSize };
};
