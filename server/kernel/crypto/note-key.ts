import { hash } from "node:crypto";

/** A public key that verifies lines of signed notes (C2SP signed-note). */
export type NoteKey = {
  name: string;
  /** 4 bytes */
  keyId: Buffer;
  /** Ed25519, 32 bytes (RFC 8032) */
  publicKey: Buffer;
};

/**
 * Reads an Ed25519 key in note format: `name+hash+base64`.
 * @param type the signature type before the key's bytes.
 * @returns null if it is malformed, of another type, or if the hash isn't the one of the key.
 */
export const parseNoteKey = (text: string, type: number): NoteKey | null => {
  const [, name = "", id, base64 = ""] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const typedKey = Buffer.from(base64, "base64");
  const keyId = hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), typedKey]), "buffer").subarray(0, 4);
  const isKey = typedKey.length === 33 && typedKey[0] === type && keyId.toString("hex") === id;
  return isKey ? { name, keyId, publicKey: typedKey.subarray(1) } : null;
};
