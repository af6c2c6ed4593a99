import { createPublicKey, verify } from "node:crypto";
import type { NoteKey } from "../../../kernel/crypto/note-key.ts";

/** Key id, time and signature (C2SP tlog-cosignature, Ed25519). */
const lineBytes = 4 + 8 + 64;

/** A longer answer of a witness is ignored. */
const maxLines = 100;

/**
 * The signature line of the witness in its answer to `add-checkpoint`. Lines of other keys are ignored (C2SP
 * tlog-witness, add-checkpoint).
 * @param body the checkpoint without signatures, with its final newline
 * @returns the line without its newline; null if no line has a valid cosignature.
 */
export const findCosignature = (
  answer: string,
  { body, witness }: { body: string; witness: NoteKey },
): string | null => {
  const lines = answer.split("\n");
  if (lines.length > maxLines) return null;
  return lines.find((line) => isCosignature(line, { body, witness })) ?? null;
};

const isCosignature = (line: string, { body, witness }: { body: string; witness: NoteKey }): boolean => {
  const prefix = `— ${witness.name} `;
  if (!line.startsWith(prefix)) return false;
  const base64 = line.slice(prefix.length);
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length !== lineBytes || bytes.toString("base64") !== base64) return false;
  if (!bytes.subarray(0, 4).equals(witness.keyId)) return false;
  const message = `cosignature/v1\ntime ${bytes.readBigUInt64BE(4)}\n${body}`;
  return verify(null, Buffer.from(message), publicKeyOf(witness), bytes.subarray(12));
};

const publicKeyOf = ({ publicKey }: NoteKey) =>
  createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(publicKey).toString("base64url") },
    format: "jwk",
  });
