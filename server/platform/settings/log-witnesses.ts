import type { LogWitness } from "../../deps/config.ts";
import { cosignatureType, parseNoteKey } from "../../kernel/crypto/note-key.ts";

const malformed =
  "must be up to 16 witnesses separated by commas, each an address and its Ed25519 cosignature key: https://witness.example#witness.example+hash+base64";

const maxWitnesses = 16;

const readWitness = (text: string): LogWitness => {
  const at = text.indexOf("#");
  const [submissionUrl, key] = [text.slice(0, at).replace(/\/+$/, ""), text.slice(at + 1)];
  const noteKey = parseNoteKey(key, cosignatureType);
  if (!noteKey || !isAddress(submissionUrl)) throw new Error(malformed);
  return { ...noteKey, submissionUrl, key };
};

const isAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "";
};

/** @returns an empty list if the text is empty. @throws Error whose message describes the problem in one line. */
export const parseLogWitnesses = (text: string): LogWitness[] => {
  if (text.trim() === "") return [];
  const witnesses = text.split(",").map((part) => readWitness(part.trim()));
  const isDistinct = new Set(witnesses.map(({ key }) => key)).size === witnesses.length;
  if (!isDistinct || witnesses.length > maxWitnesses) throw new Error(malformed);
  return witnesses;
};
