import { hash, type KeyObject, sign } from "node:crypto";

/** C2SP signed-note: the signature type of Ed25519. */
const ed25519Type = 0x01;

/** The log's name: the address of the log without scheme and trailing slash (C2SP tlog-tiles, Parameters). */
export const originOf = (discoveryUrl: string): string =>
  `${discoveryUrl.replace(/^https?:\/\//, "").replace(/\/+$/, "")}/log`;

/** @param publicKey 32 bytes (RFC 8032). */
const typedKey = (publicKey: Uint8Array): Buffer => Buffer.concat([Buffer.of(ed25519Type), publicKey]);

const keyId = (origin: string, publicKey: Uint8Array): Buffer =>
  hash("sha256", Buffer.concat([Buffer.from(`${origin}\n`), typedKey(publicKey)]), "buffer").subarray(0, 4);

/** The verifier key in note format: name, key id and typed key. */
export const verifierKey = (origin: string, publicKey: Uint8Array): string =>
  `${origin}+${keyId(origin, publicKey).toString("hex")}+${typedKey(publicKey).toString("base64")}`;

export type TreeHead = { size: number; rootHash: Buffer };

/** A checkpoint (C2SP tlog-checkpoint) without extension lines, signed as a note. */
export const signCheckpoint = (
  { size, rootHash }: TreeHead,
  { origin, publicKey, privateKey }: { origin: string; publicKey: Uint8Array; privateKey: KeyObject },
): string => {
  const text = `${origin}\n${size}\n${rootHash.toString("base64")}\n`;
  const signature = Buffer.concat([keyId(origin, publicKey), sign(null, Buffer.from(text), privateKey)]);
  return `${text}\n— ${origin} ${signature.toString("base64")}\n`;
};
