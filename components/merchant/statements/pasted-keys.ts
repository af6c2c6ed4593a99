import { readPastedKey } from "../apps/pasted-key.ts";

type PastedKeys = { jwks: { keys: Record<string, unknown>[] } } | { problem: string };

/** Reads a pasted JWK Set, or one pasted key. A text with a secret member never leaves the browser. */
export const readPastedKeys = (text: string): PastedKeys => {
  const pasted = readPastedKey(text);
  if ("problem" in pasted) return pasted;
  const { keys } = pasted.jwk;
  if (!Array.isArray(keys)) return { jwks: { keys: [pasted.jwk] } };
  const read = keys.map((key) => readPastedKey(JSON.stringify(key)));
  const refused = read.find((key) => "problem" in key);
  return refused ?? { jwks: { keys: read.flatMap((key) => ("jwk" in key ? [key.jwk] : [])) } };
};
