import type { JwsAlgorithm } from "../../../kernel/crypto/jws.ts";
import type { OwnRule } from "../../../kernel/rule.ts";

type Key = Readonly<Record<string, unknown>>;

/** Properties of a public key, from its public members. */
export type KeyQuality = {
  /** the algorithm that we accept from it; null: unsupported */
  alg: JwsAlgorithm | null;
  hasSmallOrder: boolean;
  /** as numbers: leading zeros don't count */
  modulus: bigint;
  exponent: bigint;
};

const [least, most, exponentAbove, exponentBelow] = [2n ** 2047n, 2n ** 4096n, 65_536n, 2n ** 64n];
/** Values that satisfy the RSA rules, for keys of other types. */
const noRsa = { modulus: least, exponent: 65_537n } as const;

export const readQuality = ({ kty, crv, n, e, x, y }: Key): KeyQuality => {
  if (kty === "EC" && crv === "P-256" && isBase64url(x) && isBase64url(y)) {
    return { alg: "ES256", hasSmallOrder: false, ...noRsa };
  }
  if (kty === "OKP" && crv === "Ed25519" && isBase64url(x)) {
    return { alg: "EdDSA", hasSmallOrder: hasSmallOrder(Buffer.from(x, "base64url")), ...noRsa };
  }
  if (kty === "RSA" && isBase64url(n) && isBase64url(e)) {
    return { alg: "PS256", hasSmallOrder: false, modulus: toNumber(n), exponent: toNumber(e) };
  }
  return { alg: null, hasSmallOrder: false, ...noRsa };
};

/** Rules for every key that we receive. @param whose the prefix of the rule names: each use needs its own prefix. */
export const keyQuality = <Subject extends { quality: KeyQuality }>(whose: string): OwnRule<Subject>[] => [
  {
    name: `${whose}-kind`,
    source: "FAPI 2.0 §5.4",
    problem: "a key is not RSA, P-256 or Ed25519",
    holds: ({ quality }) => quality.alg !== null,
  },
  {
    name: `${whose}-order`,
    source: "RFC 8725 §3.4",
    problem: "an Ed25519 key is weak (small order)",
    holds: ({ quality }) => !quality.hasSmallOrder,
  },
  {
    name: `${whose}-long-enough`,
    source: "RFC 7518 §3.5",
    problem: "an RSA key is shorter than 2048 bits",
    holds: ({ quality }) => quality.modulus >= least,
  },
  {
    // Verification time grows with the length: 12,000 bits cost as much as forty P-256 verifications.
    name: `${whose}-not-too-long`,
    source: "RFC 8725 §3.4",
    problem: "an RSA key is longer than 4096 bits",
    holds: ({ quality }) => quality.modulus < most,
  },
  {
    // Odd and above 2^16; with exponent 1 anyone could sign.
    name: `${whose}-exponent`,
    source: "FIPS 186-5 §5.1",
    problem: "an RSA key's exponent is not an odd number above 65536",
    holds: ({ quality: { exponent } }) => exponent > exponentAbove && exponent % 2n === 1n,
  },
  {
    // Verification time also grows with the exponent, which the key's owner chooses.
    name: `${whose}-exponent-not-too-large`,
    source: "RFC 8725 §3.4",
    problem: "an RSA key's exponent is too large",
    holds: ({ quality }) => quality.exponent < exponentBelow,
  },
];

/** Points of order 1, 2, 4 and 8 (the list of libsodium's ed25519 reference code), without the sign bit. */
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
