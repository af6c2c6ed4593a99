import { VerificationError } from "../../errors/errors.ts";
import { areEqual, type Bytes, concat, fromBase64, sha256, utf8 } from "../../wire/bytes.ts";

/** A tree head (C2SP tlog-checkpoint) whose signature was checked. */
export type Checkpoint = { origin: string; treeSize: number; rootHash: Bytes };

const ed25519 = 0x01;
const maxCharacters = 65_536;

const malformed = (what: string): VerificationError => new VerificationError("malformed", what);

type LogKey = { name: string; id: Bytes; publicKey: Bytes };

/** The key's id (C2SP signed-note, Ed25519 signatures). */
const keyIdOf = async (name: string, typed: Bytes): Promise<Bytes> =>
  (await sha256(concat(utf8(`${name}\n`), typed))).slice(0, 4);

const toHex = (bytes: Bytes): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * A verifier key in note format. It has three parts, separated by `+`: the name, the key id in hex, and the base64
 * encoding of the key type followed by the key.
 */
const readLogKey = async (logKey: string): Promise<LogKey> => {
  const [, name = "", hash = "", text = ""] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(logKey.trim()) ?? [];
  const typed = fromBase64(text);
  if (name === "" || typed?.length !== 33 || typed[0] !== ed25519)
    throw malformed("logKey isn't an Ed25519 verifier key.");
  const id = await keyIdOf(name, typed);
  if (toHex(id) !== hash) throw malformed("The id in logKey doesn't belong to its key.");
  return { name, id, publicKey: typed.slice(1) };
};

type Note = { text: string; signatures: { name: string; id: Bytes; bytes: Bytes }[] };

const readSignatureLine = (line: string): Note["signatures"][number] => {
  const [, name = "", text = ""] = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
  const bytes = fromBase64(text);
  if (bytes === null || bytes.length < 5) throw malformed("The checkpoint has an invalid signature line.");
  return { name, id: bytes.slice(0, 4), bytes: bytes.slice(4) };
};

/** The last empty line separates the text from the signatures (C2SP signed-note, Format). */
const readNote = (note: string): Note => {
  const end = note.lastIndexOf("\n\n");
  if (end < 0 || note.length > maxCharacters || !note.endsWith("\n"))
    throw malformed("The checkpoint isn't a signed note.");
  const lines = note.slice(end + 2, -1).split("\n");
  return { text: note.slice(0, end + 1), signatures: lines.map(readSignatureLine) };
};

/**
 * Ignores signatures by other keys.
 * @throws VerificationError invalid_signature unless the log's key signed the text.
 */
const assertSigned = async ({ text, signatures }: Note, { name, id, publicKey }: LogKey): Promise<void> => {
  const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
  const own = signatures.filter((signature) => signature.name === name && areEqual(signature.id, id));
  const verified = await Promise.all(own.map(({ bytes }) => crypto.subtle.verify("Ed25519", key, bytes, utf8(text))));
  if (verified.length > 0 && verified.every(Boolean)) return;
  throw new VerificationError("invalid_signature", "The log's key didn't sign the checkpoint.");
};

const readTreeHead = (text: string): Checkpoint => {
  const [origin = "", size = "", root = "", ...extensions] = text.slice(0, -1).split("\n");
  const rootHash = fromBase64(root);
  const treeSize = /^(0|[1-9]\d{0,15})$/.test(size) ? Number(size) : Number.NaN;
  const isComplete = origin !== "" && Number.isSafeInteger(treeSize) && rootHash?.length === 32;
  if (!isComplete || extensions.includes("")) throw malformed("The checkpoint's tree head is invalid.");
  return { origin, treeSize, rootHash };
};

/** @throws VerificationError malformed, untrusted_issuer or invalid_signature. */
export const openCheckpoint = async (checkpoint: string, logKey: string): Promise<Checkpoint> => {
  const [note, key] = [readNote(checkpoint), await readLogKey(logKey)];
  await assertSigned(note, key);
  const head = readTreeHead(note.text);
  if (head.origin !== key.name) throw new VerificationError("untrusted_issuer", "The checkpoint is from another log.");
  return head;
};
