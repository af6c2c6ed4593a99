import { casesOf } from "../../../kernel/rule-cases.fixture.ts";
import {
  blockedKeyRules,
  clientKeyRules,
  importedKeyRules,
  keyIdRules,
  keyIdsRules,
  keySetRules,
  productionKeyRules,
  productionListRules,
} from "../clients/client-jwks.ts";
import { jwksUriLoadRules, outboundAddressRules } from "../clients/jwks-uri.ts";
import { readQuality } from "../clients/key-quality.ts";
import { importedProofKeyRules, proofKeyFormRules, proofKeyRules, proofKeyTextRules } from "../tokens/proof-key.ts";

const source = "jwks" as const;
const rsa = (bytes: number, e = "AQAB") => ({ kty: "RSA", e, n: Buffer.alloc(bytes, 255).toString("base64url") });
const p256 = { kty: "EC", crv: "P-256", x: "x", y: "y" };

/** For each rule, a key that breaks only this rule. */
const poor: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  kind: { ...p256, crv: "P-384" },
  order: { kty: "OKP", crv: "Ed25519", x: "A".repeat(43) },
  "long-enough": { kty: "RSA", e: "AQAB", n: Buffer.from(`00${"7f".padEnd(512, "f")}`, "hex").toString("base64url") },
  "not-too-long": rsa(513),
  exponent: rsa(256, "AQAA"),
  "exponent-not-too-large": rsa(256, Buffer.from("010000000000000001", "hex").toString("base64url")),
};

const poorKeys = (whose: string) =>
  Object.fromEntries(
    Object.entries(poor).map(([name, key]) => [`${whose}-${name}`, { key, quality: readQuality(key) }]),
  );

export const keySetCases = casesOf(
  keySetRules,
  { source, keys: [p256] as unknown },
  {
    "client-keys-count": { keys: Array(11).fill(p256) },
    "client-keys-objects": { keys: [p256, null] },
  },
);

export const keyIdCases = casesOf(
  keyIdRules,
  { source, kid: "a" as unknown, isAlone: false },
  { "client-key-kid-sent": { kid: undefined }, "client-key-kid-form": { kid: "k".repeat(257) } },
);

export const keyIdsCases = casesOf(
  keyIdsRules,
  { source, kids: ["a", "b"] },
  { "client-key-kids-distinct": { kids: ["a", "b", "a"] } },
);

const validKey: Readonly<Record<string, unknown>> = { ...p256, use: "sig", alg: "ES256" };

export const clientKeyCases = casesOf(
  clientKeyRules,
  { source, key: validKey, quality: readQuality(validKey) },
  {
    "client-key-public": { key: { ...validKey, d: "d" } },
    "client-key-use": { key: { ...validKey, use: "enc" } },
    ...poorKeys("client-key"),
    "client-key-alg": { key: { ...validKey, alg: "ES256K" } },
  },
);

export const importedKeyCases = casesOf(
  importedKeyRules,
  { source, isKey: true },
  { "client-key-usable": { isKey: false } },
);

export const blockedKeyCases = casesOf(
  blockedKeyRules,
  { source, isBlocked: false },
  { "client-key-not-blocked": { isBlocked: true } },
);

export const productionKeyCases = casesOf(
  productionKeyRules,
  { source, isForeign: false },
  { "client-key-not-of-production": { isForeign: true } },
);

export const productionListCases = casesOf(
  productionListRules,
  { isFresh: true },
  { "production-key-list-fresh": { isFresh: false } },
);

export const outboundAddressCases = casesOf(
  outboundAddressRules,
  { member: "jwks_uri", problem: null },
  {
    "outbound-uri-absolute": { problem: "is not an absolute URI" },
    "outbound-uri-no-fragment": { problem: "has a fragment" },
    "outbound-uri-no-credentials": { problem: "has credentials" },
    "outbound-uri-host": { problem: "has a host name that is too long" },
    "outbound-uri-https": { problem: "must use https on port 443" },
    "outbound-uri-length": { problem: "is longer than 2000 characters" },
  },
);

export const jwksUriLoadCases = casesOf(
  jwksUriLoadRules,
  { problem: null },
  {
    "jwks-uri-loads-free": { problem: "busy" },
    "jwks-uri-fetchable": { problem: "bad_address" },
    "jwks-uri-reachable": { problem: "unreachable" },
    "jwks-uri-in-time": { problem: "timed_out" },
    "jwks-uri-size": { problem: "too_large" },
    "jwks-uri-json": { problem: "bad_answer" },
  },
);

export const proofKeyFormCases = {
  group: proofKeyFormRules,
  valid: p256 as Readonly<Record<string, unknown>>,
  breaches: { "proof-key-text": { ...p256, x: [["x"]] } },
};

export const proofKeyCases = casesOf(proofKeyRules, { quality: readQuality(p256) }, poorKeys("proof-key"));

export const importedProofKeyCases = casesOf(
  importedProofKeyRules,
  { isKey: true },
  { "proof-key-usable": { isKey: false } },
);

export const proofKeyTextCases = casesOf(
  proofKeyTextRules,
  { isOneForm: true },
  { "proof-key-one-form": { isOneForm: false } },
);
