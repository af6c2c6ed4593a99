import { hash } from "node:crypto";

/** A public key that verifies lines of signed notes (C2SP signed-note). */
export type NoteKey = {
  name: string;
  /** 4 bytes */
  keyId: Buffer;
  /** Ed25519, 32 bytes (RFC 8032) */
  publicKey: Buffer;
};

/** The signature type of Ed25519 signatures of notes (C2SP signed-note). */
const noteSignatureType = 0x01;
/** The signature type of Ed25519 cosignatures (C2SP tlog-cosignature). */
export const cosignatureType = 0x04;

/** The first bytes of the hash of name and typed key. @param typedKey the signature type, then the public key */
const keyIdOf = (name: string, typedKey: Uint8Array): Buffer =>
  hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), typedKey]), "buffer").subarray(0, 4);

const withType = (type: number, publicKey: Uint8Array): Buffer => Buffer.concat([Buffer.of(type), publicKey]);

/** The id of a key that signs notes, 4 bytes. @param publicKey Ed25519, 32 bytes (RFC 8032) */
export const noteKeyId = (name: string, publicKey: Uint8Array): Buffer =>
  keyIdOf(name, withType(noteSignatureType, publicKey));

/** A key that signs notes, in note format. @param publicKey Ed25519, 32 bytes (RFC 8032) */
export const formatNoteKey = (name: string, publicKey: Uint8Array): string =>
  [name, noteKeyId(name, publicKey).toString("hex"), withType(noteSignatureType, publicKey).toString("base64")].join(
    "+",
  );

/**
 * Reads an Ed25519 key in note format: `name+hash+base64`.
 * @param type the signature type before the key's bytes.
 * @returns null if the text is malformed, if the key has another type, or if the hash doesn't match the key.
 */
export const parseNoteKey = (text: string, type: number): NoteKey | null => {
  const [, name = "", id, base64 = ""] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const typedKey = Buffer.from(base64, "base64");
  const keyId = keyIdOf(name, typedKey);
  const isKey = typedKey.length === 33 && typedKey[0] === type && keyId.toString("hex") === id;
  return isKey ? { name, keyId, publicKey: typedKey.subarray(1) } : null;
};
