import { type CryptoKey, importJWK, type JWK } from "jose";
import { VerificationError } from "../errors/errors.ts";
import type { CallOptions } from "../http/call-options.ts";
import { getJson } from "../http/get-json.ts";
import { isMembers } from "../wire/members.ts";

const maxAgeMs = 300_000;
/** A new key is published before it signs, so an unknown `kid` is rarely a reason to fetch again. */
const minAgeMs = 60_000;
const maxKeySets = 100;

type KeySet = { keys: ReadonlyMap<string, JWK>; at: number };
const keySets = new Map<string, Promise<KeySet>>();

const fetchKeySet = async (jwksUri: string, options: CallOptions): Promise<KeySet> => {
  const { keys } = await getJson(jwksUri, options);
  const listed = Array.isArray(keys) ? keys.filter(isMembers) : [];
  const named = listed.flatMap((key): [string, JWK][] => (typeof key["kid"] === "string" ? [[key["kid"], key]] : []));
  return { keys: new Map(named), at: performance.now() };
};

/** Callers that come while the request runs share it (`findKey`). A failed request isn't cached. */
const loadKeySet = (jwksUri: string, options: CallOptions): Promise<KeySet> => {
  const loading = fetchKeySet(jwksUri, options);
  keySets.delete(jwksUri);
  if (keySets.size >= maxKeySets) keySets.delete(keySets.keys().next().value ?? "");
  keySets.set(jwksUri, loading);
  loading.catch(() => {
    if (keySets.get(jwksUri) === loading) keySets.delete(jwksUri);
  });
  return loading;
};

const ageOf = ({ at }: KeySet): number => performance.now() - at;

const findKey = async (jwksUri: string, kid: string, options: CallOptions): Promise<JWK | null> => {
  const known = await keySets.get(jwksUri)?.catch(() => null);
  const current = known && ageOf(known) < maxAgeMs ? known : await loadKeySet(jwksUri, options);
  const found = current.keys.get(kid);
  if (found || ageOf(current) < minAgeMs) return found ?? null;
  return (await loadKeySet(jwksUri, options)).keys.get(kid) ?? null;
};

/** The server's public key `kid` for signatures with `alg`. @throws VerificationError unknown_key. */
export const getServerKey = async (
  jwksUri: string,
  { kid, alg }: { kid: string; alg: string },
  options: CallOptions,
): Promise<CryptoKey> => {
  const jwk = await findKey(jwksUri, kid, options);
  if (jwk === null) throw new VerificationError("unknown_key", "The server doesn't publish the key of the signature.");
  try {
    const key = await importJWK(jwk, alg);
    if (!(key instanceof Uint8Array)) return key;
  } catch (cause) {
    throw new VerificationError("unknown_key", "The server's key doesn't fit the signature's algorithm.", { cause });
  }
  throw new VerificationError("unknown_key", "The server's key isn't a public key.");
};
