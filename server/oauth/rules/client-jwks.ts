import type { JwsAlgorithm } from "../../kernel/jws.ts";
import { bad } from "./metadata-values.ts";

type Key = Readonly<Record<string, unknown>>;

/** Where a client's keys were found: what a refusal names. */
export type KeySource = "jwks" | "jwks_uri";

/**
 * A JWK Set (RFC 7517 §5) of 1 to 10 keys: only public ones, RSA of at least 2048 bits, P-256 or Ed25519, with distinct
 * kids (1-oauth, Register). The same rules wherever it comes from.
 * @returns each key with the members that we know, so that nothing else is stored or echoed.
 * @throws OAuthError invalid_client_metadata.
 */
export const checkClientKeys = (value: unknown, source: KeySource): Record<string, string>[] => {
  const keys = typeof value === "object" && value !== null ? (value as { keys?: unknown }).keys : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > 10)
    return bad(source, "must hold 1 to 10 public keys");
  if (keys.some((key) => typeof key !== "object" || key === null || Array.isArray(key))) {
    return bad(source, "holds something that is no key");
  }
  checkKids(keys, source);
  return keys.map((key: Key) => checkKey(key, source));
};

const checkKids = (keys: readonly Key[], source: KeySource): void => {
  const kids = keys.map(({ kid }) => kid);
  for (const kid of kids) {
    if (kid === undefined && keys.length > 1) bad(source, "several keys need a kid each");
    if (kid !== undefined && (typeof kid !== "string" || kid === "" || kid.length > 256)) {
      bad(source, "a kid is malformed");
    }
  }
  if (new Set(kids).size !== kids.length) bad(source, "two keys have the same kid");
};

const checkKey = (key: Key, source: KeySource): Record<string, string> => {
  for (const member of ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]) {
    if (Object.hasOwn(key, member)) bad(source, "holds a private or symmetric key");
  }
  if (key["use"] !== undefined && key["use"] !== "sig") bad(source, "a key is not for signatures");
  const alg = algorithmOfKey(key, source);
  if (key["alg"] !== undefined && key["alg"] !== alg && !(alg === "EdDSA" && key["alg"] === "Ed25519")) {
    bad(source, "a key's alg is not one that we support for it");
  }
  return pickKey(key, alg);
};

const algorithmOfKey = (key: Key, source: KeySource): JwsAlgorithm => {
  const found = judgeKey(key);
  return "problem" in found ? bad(source, found.problem) : found.alg;
};

/** The one algorithm that we accept from a public key, or why there is none; only its public members are looked at. */
export const judgeKey = ({ kty, crv, n, e, x, y }: Key): { alg: JwsAlgorithm } | { problem: string } => {
  if (kty === "EC" && crv === "P-256" && isBase64url(x) && isBase64url(y)) return { alg: "ES256" };
  if (kty === "OKP" && crv === "Ed25519" && isBase64url(x)) {
    if (hasSmallOrder(Buffer.from(x, "base64url"))) {
      return { problem: "an Ed25519 key is one that anybody can sign for" };
    }
    return { alg: "EdDSA" };
  }
  if (kty === "RSA" && isBase64url(n) && isBase64url(e)) {
    // As numbers: zeros in front make nothing longer.
    const [modulus, exponent] = [toNumber(n), toNumber(e)];
    if (modulus < 2n ** 2047n) return { problem: "an RSA key is shorter than 2048 bits" };
    // Whoever names it, with whatever signature, has us pay for its length: at 12,000 bits as much as forty of P-256.
    if (modulus >= 2n ** 4096n) return { problem: "an RSA key is longer than 4096 bits" };
    // FIPS 186-5 §5.1: odd and above 2^16; with 1 anybody can sign.
    if (exponent <= 65_536n || exponent % 2n === 0n) return { problem: "an RSA key's exponent is too small" };
    // Each signature costs as much as the exponent is long, and whoever brings the key chooses it.
    if (exponent >= 2n ** 64n) return { problem: "an RSA key's exponent is too large" };
    return { alg: "PS256" };
  }
  return { problem: "a key is none of RSA, P-256 and Ed25519" };
};

/** Points of order 1, 2, 4 and 8 (the list of libsodium's ed25519 reference code), the sign bit left out. */
const smallOrder: ReadonlySet<string> = new Set([
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
]);

const hasSmallOrder = (point: Buffer): boolean => {
  const unsigned = Buffer.from(point);
  unsigned[31] = (unsigned[31] ?? 0) & 0x7f;
  return smallOrder.has(unsigned.toString("hex"));
};

const toNumber = (base64url: string): bigint =>
  BigInt(`0x${Buffer.from(base64url, "base64url").toString("hex") || "0"}`);

const isBase64url = (value: unknown): value is string =>
  typeof value === "string" && /^[A-Za-z0-9_-]{1,2000}$/.test(value);

const pickKey = (key: Key, alg: string): Record<string, string> => {
  const picked: Record<string, string> = { use: "sig", alg };
  for (const member of ["kty", "crv", "x", "y", "n", "e", "kid"]) {
    const value = key[member];
    if (typeof value === "string") picked[member] = value;
  }
  return picked;
};
