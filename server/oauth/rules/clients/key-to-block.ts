import { isPublic } from "../../../kernel/crypto/private-members.ts";
import { readQuality } from "./key-quality.ts";

export type KeyProblem = "private_key" | "unreadable_key" | "unsupported_key";

type KeyToBlock =
  | { kind: "thumbprint"; thumbprint: string }
  | { kind: "jwk"; jwk: Readonly<Record<string, string>> }
  | { kind: "problem"; problem: KeyProblem };

const problem = (code: KeyProblem): KeyToBlock => ({ kind: "problem", problem: code });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** A JWK, or a JWK Set with one key. */
const keyOf = (value: unknown): Readonly<Record<string, unknown>> | null => {
  if (!isObject(value)) return null;
  const { keys } = value;
  if (keys === undefined) return value;
  const [key, ...others] = Array.isArray(keys) ? (keys as unknown[]) : [];
  return others.length === 0 && isObject(key) ? key : null;
};

const privatePem = /PRIVATE KEY-----/;

/** @param text what an operator entered: a thumbprint (RFC 7638) or a public JWK. */
export const readKeyToBlock = (text: string): KeyToBlock => {
  const entered = text.trim();
  if (/^[A-Za-z0-9_-]{43}$/.test(entered)) return { kind: "thumbprint", thumbprint: entered };
  if (privatePem.test(entered)) return problem("private_key");
  const key = keyOf(parse(entered));
  if (!key) return problem("unreadable_key");
  if (!isPublic(key)) return problem("private_key");
  const { alg } = readQuality(key);
  if (alg === null) return problem("unsupported_key");
  const members = Object.entries(key).flatMap(([name, value]) =>
    ["kty", "crv", "x", "y", "n", "e"].includes(name) && typeof value === "string" ? [[name, value] as const] : [],
  );
  return { kind: "jwk", jwk: { ...Object.fromEntries(members), alg } };
};
