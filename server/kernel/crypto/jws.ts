import { isUtf8 } from "node:buffer";
import { constants, createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from "node:crypto";
import { rememberBy } from "../remember-by.ts";
import { fromDer, toDer } from "./ecdsa-der.ts";

/**
 * Compact JWS (RFC 7515) for hot paths. node:crypto signs and verifies on the calling thread. WebCrypto would use
 * another thread, and the switch takes about as long as an ES256 signature itself. Other code uses jose.
 */
export type JwsAlgorithm = "ES256" | "PS256" | "EdDSA";

/** Algorithms by the names that a header may use. EdDSA has two: RFC 9864 §2.2 adds the name of the curve. */
const algorithmsByName = { ES256: "ES256", PS256: "PS256", EdDSA: "EdDSA", Ed25519: "EdDSA" } as const;

export type JwsAlgorithmName = keyof typeof algorithmsByName;
export const jwsAlgorithmNames = Object.keys(algorithmsByName) as readonly JwsAlgorithmName[];

/** @returns null for an unsupported name. */
export const findNamedAlgorithm = (name: unknown): JwsAlgorithm | null =>
  typeof name === "string" && Object.hasOwn(algorithmsByName, name) ? algorithmsByName[name as JwsAlgorithmName] : null;

type JsonRecord = Readonly<Record<string, unknown>>;

export type DecodedJws = {
  header: JsonRecord;
  payload: JsonRecord;
  /** the signing input: header and payload as received */
  signingInput: string;
  signature: Buffer;
};

type Scheme = {
  sign(data: Buffer, privateKey: KeyObject): Buffer;
  verify(data: Buffer, publicKey: KeyObject, signature: Buffer): boolean;
};

/** RFC 7518 §3.5: the salt is as long as the digest. */
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };

const schemes: Readonly<Record<JwsAlgorithm, Scheme>> = {
  ES256: {
    sign: (data, privateKey) => fromDer(sign("sha256", data, privateKey)),
    verify(data, publicKey, signature) {
      const der = toDer(signature);
      return der !== null && verify("sha256", data, publicKey, der);
    },
  },
  PS256: {
    sign: (data, key) => sign("sha256", data, { key, ...pss }),
    // RFC 8017 §8.1.2, step 1: a signature must be as long as the modulus. OpenSSL also accepts one without its leading
    // zeros.
    verify: (data, key, signature) =>
      signature.length === Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8) &&
      verify("sha256", data, { key, ...pss }, signature),
  },
  // RFC 8037 §3.1
  EdDSA: {
    sign: (data, privateKey) => sign(null, data, privateKey),
    verify: (data, publicKey, signature) => verify(null, data, publicKey, signature),
  },
};

const findAlgorithm = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): JwsAlgorithm | null => {
  if (asymmetricKeyType === "ec") return asymmetricKeyDetails?.namedCurve === "prime256v1" ? "ES256" : null;
  if (asymmetricKeyType === "ed25519") return "EdDSA";
  return asymmetricKeyType === "rsa" ? "PS256" : null;
};

/**
 * The algorithm of a key (RFC 7518 §3.1, RFC 8037 §3.1); null if we support none. Reading a KeyObject's details
 * costs a tenth of a signature, so the result is cached.
 */
export const algorithmOf = rememberBy(findAlgorithm);

/** @returns null if the JWK isn't a valid public key, for example if its point isn't on the curve. */
export const importPublicJwk = (jwk: object): KeyObject | null => {
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
  } catch {
    return null;
  }
};

/**
 * @returns null unless the text has three base64url parts, and the first two contain JSON objects (RFC 7515 §5.2, RFC
 *   7519 §7.2).
 */
export const decodeJws = (compact: string): DecodedJws | null => {
  const first = compact.indexOf(".");
  const second = compact.indexOf(".", first + 1);
  if (first < 1 || second < 0 || compact.indexOf(".", second + 1) >= 0) return null;
  const header = decodeHeader(compact.slice(0, first));
  const payload = decodeObject(compact.slice(first + 1, second));
  const signature = decodePart(compact.slice(second + 1));
  return header && payload && signature && { header, payload, signingInput: compact.slice(0, second), signature };
};

/** A signer repeats its header, so recently decoded headers are cached by their text. */
const headers = new Map<string, JsonRecord>();
const maxHeaders = 1_000;
const maxHeaderLength = 1_024;

const decodeHeader = (part: string): JsonRecord | null => {
  const known = headers.get(part);
  if (known) return known;
  const header = decodeObject(part);
  if (!header || part.length > maxHeaderLength) return header;
  if (headers.size >= maxHeaders) headers.delete(headers.keys().next().value ?? "");
  headers.set(part, Object.freeze(header));
  return header;
};

/** RFC 7515 §2: no padding and no other characters. RFC 4648 §3.5: unused bits at the end are zero. */
const decodePart = (part: string): Buffer | null => {
  if (!/^[A-Za-z0-9_-]+$/.test(part) || !lastCharacters[part.length % 4]?.includes(part.charAt(part.length - 1)))
    return null;
  return Buffer.from(part, "base64url");
};

/** The allowed last characters by length modulo 4: those that have no unused bits set (RFC 4648 §3.5). */
const lastCharacters = [
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
  "",
  "AQgw",
  "AEIMQUYcgkosw048",
];

const decodeObject = (part: string): JsonRecord | null => {
  const bytes = decodePart(part);
  if (!bytes || !isUtf8(bytes)) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
  } catch {
    return null;
  }
};

/** Whether the key signed the JWS. The header must name the key's own algorithm (RFC 8725 §3.1). */
export const verifyJws = (jws: DecodedJws, publicKey: KeyObject): boolean => {
  const algorithm = algorithmOf(publicKey);
  if (algorithm === null || findNamedAlgorithm(jws.header["alg"]) !== algorithm) return false;
  return schemes[algorithm].verify(Buffer.from(jws.signingInput), publicKey, jws.signature);
};

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** @param privateKey a key of the header's algorithm. @returns the compact serialization. */
export const signJws = (
  header: { readonly alg: JwsAlgorithm; readonly typ: string; readonly kid: string },
  claims: object,
  privateKey: KeyObject,
): string => {
  const signingInput = `${encode(header)}.${encode(claims)}`;
  const signature = schemes[header.alg].sign(Buffer.from(signingInput), privateKey);
  return `${signingInput}.${signature.toString("base64url")}`;
};
