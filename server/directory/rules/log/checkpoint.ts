import { type KeyObject, sign } from "node:crypto";
import { noteKeyId } from "../../../kernel/crypto/note-key.ts";

/** The log's name: the URL of the log without scheme and trailing slash (C2SP tlog-tiles, Parameters). */
export const originOf = (discoveryUrl: string): string =>
  `${discoveryUrl.replace(/^https?:\/\//, "").replace(/\/+$/, "")}/log`;

export type TreeHead = { size: number; rootHash: Buffer };

/** A checkpoint (C2SP tlog-checkpoint) without extension lines, signed as a note. */
export const signCheckpoint = (
  { size, rootHash }: TreeHead,
  { origin, publicKey, privateKey }: { origin: string; publicKey: Uint8Array; privateKey: KeyObject },
): string => {
  const text = `${origin}\n${size}\n${rootHash.toString("base64")}\n`;
  const signature = Buffer.concat([noteKeyId(origin, publicKey), sign(null, Buffer.from(text), privateKey)]);
  return `${text}\n— ${origin} ${signature.toString("base64")}\n`;
};
