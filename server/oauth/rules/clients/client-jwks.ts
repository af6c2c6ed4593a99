import { findNamedAlgorithm, importPublicJwk } from "../../../kernel/crypto/jws.ts";
import { isPublic } from "../../../kernel/crypto/private-members.ts";
import { checkRules, defineRules, findBrokenRule } from "../../../kernel/rule.ts";
import { type KeyQuality, keyQuality, readQuality } from "./key-quality.ts";

type Key = Readonly<Record<string, unknown>>;

/** The source of a client's keys, as named in errors. */
export type KeySource = "jwks" | "jwks_uri";
type Sourced = { source: KeySource };

const shared = {
  places: ["registerClient", "replaceClientRegistration"],
  error: "invalid_client_metadata",
  names: { any: "jwks or jwks_uri", one: ({ source }: Sourced): string => source },
} as const;

/** `keys` undefined: the value isn't a JWK Set. */
export const keySetRules = defineRules<Sourced & { keys: unknown }>("client's keys, as a set", shared, [
  {
    name: "client-keys-count",
    source: "RFC 7517 §5",
    problem: "a client needs 1 to 10 public keys",
    holds: ({ keys }) => Array.isArray(keys) && keys.length > 0 && keys.length <= 10,
  },
  {
    name: "client-keys-objects",
    source: "RFC 7517 §5.1",
    problem: "an item isn't a JWK",
    holds: ({ keys }) => (keys as unknown[]).every((key) => typeof key === "object" && key && !Array.isArray(key)),
  },
]);

export const keyIdRules = defineRules<Sourced & { kid: unknown; isAlone: boolean }>("client's keys, kid", shared, [
  {
    name: "client-key-kid-sent",
    source: "RFC 7517 §4.5",
    problem: "with more than one key, each key needs a kid",
    holds: ({ kid, isAlone }) => kid !== undefined || isAlone,
  },
  {
    name: "client-key-kid-form",
    source: "RFC 7517 §4.5",
    problem: "a kid is malformed",
    holds: ({ kid }) => kid === undefined || (typeof kid === "string" && kid !== "" && kid.length <= 256),
  },
]);

export const keyIdsRules = defineRules<Sourced & { kids: readonly unknown[] }>("client's keys, all kids", shared, [
  {
    name: "client-key-kids-distinct",
    source: "docs/spec/oauth.md, Client registration",
    problem: "two keys have the same kid",
    holds: ({ kids }) => new Set(kids).size === kids.length,
  },
]);

type ClientKey = Sourced & { key: Key; quality: KeyQuality };

export const clientKeyRules = defineRules<ClientKey>("client's key", shared, [
  {
    name: "client-key-public",
    source: "docs/spec/oauth.md, Client registration",
    problem: "a key is private or symmetric",
    holds: ({ key }) => isPublic(key),
  },
  {
    name: "client-key-use",
    source: "RFC 7517 §4.2, §4.3",
    problem: "a key is not for signatures (use, key_ops)",
    holds: ({ key: { use, key_ops: operations } }) =>
      (use === undefined || use === "sig") &&
      (operations === undefined || (Array.isArray(operations) && operations.includes("verify"))),
  },
  ...keyQuality<ClientKey>("client-key"),
  {
    name: "client-key-alg",
    source: "RFC 7517 §4.4",
    problem: "a key's alg is not supported for its type",
    holds: ({ key: { alg }, quality }) =>
      alg === undefined || (quality.alg !== null && findNamedAlgorithm(alg) === quality.alg),
  },
]);

export const importedKeyRules = defineRules<Sourced & { isKey: boolean }>("client's key, imported", shared, [
  {
    // A key can't be imported if, for example, its point isn't on the curve.
    name: "client-key-usable",
    source: "RFC 8725 §3.4",
    problem: "a key can't be imported",
    holds: ({ isKey }) => isKey,
  },
]);

export const blockedKeyRules = defineRules<Sourced & { isBlocked: boolean }>("client's keys, blocklist", shared, [
  {
    name: "client-key-not-blocked",
    source: "docs/spec/oauth.md, Blocked keys",
    problem: "contains a key that is blocked: use another key",
    holds: ({ isBlocked }) => !isBlocked,
  },
]);

export const productionKeyRules = defineRules<Sourced & { isForeign: boolean }>(
  "client's keys, in the sandbox",
  shared,
  [
    {
      name: "client-key-not-of-production",
      source: "docs/spec/oauth.md, Key separation",
      problem: "contains a key that is used in production: use a separate key",
      holds: ({ isForeign }) => !isForeign,
    },
  ],
);

export const productionListRules = defineRules<{ isFresh: boolean }>(
  "client's new keys, in the sandbox",
  { places: shared.places, error: "temporarily_unavailable" },
  [
    {
      name: "production-key-list-fresh",
      source: "docs/spec/oauth.md, Key separation",
      problem: "production's key list can't be loaded, so new keys are refused: try again",
      holds: ({ isFresh }) => isFresh,
    },
  ],
);

/**
 * Checks a JWK Set. Public keys that we can't use are ignored if at least one usable key remains (RFC 7517 §5);
 * otherwise the problem of the first key is the error.
 * @returns the usable keys with known members only, so that nothing else is stored or returned.
 * @throws OAuthError invalid_client_metadata.
 */
export const checkClientKeys = (value: unknown, source: KeySource): Record<string, string>[] => {
  const sent = typeof value === "object" && value !== null ? (value as { keys?: unknown }).keys : undefined;
  const usable = Array.isArray(sent) ? sent.filter((key) => !isIgnored(key)) : [];
  const set = usable.length > 0 ? usable : sent;
  checkRules(keySetRules, { keys: set, source });
  const keys = (set as readonly Key[]).map((key) => ({ key, quality: readQuality(key), source }));
  for (const one of keys) checkRules(clientKeyRules, one);
  const kids = keys.map(({ key }) => key["kid"]);
  for (const kid of kids) checkRules(keyIdRules, { kid, isAlone: keys.length === 1, source });
  checkRules(keyIdsRules, { kids, source });
  return keys.map(({ key, quality }) => pickKey(key, String(key["alg"] ?? quality.alg)));
};

/** A private key is always an error, because its owner must learn that it was sent. */
const isIgnored = (key: unknown): boolean =>
  typeof key === "object" && key !== null && isPublic(key) && !isUsable(key as Key);

const isUsable = (key: Key): boolean =>
  findBrokenRule(clientKeyRules, { key, quality: readQuality(key), source: "jwks" }) === null &&
  importPublicJwk(key) !== null;

const pickKey = (key: Key, alg: string): Record<string, string> => {
  const picked: Record<string, string> = { use: "sig", alg };
  for (const member of ["kty", "crv", "x", "y", "n", "e", "kid"]) {
    const value = key[member];
    if (typeof value === "string") picked[member] = value;
  }
  return picked;
};
