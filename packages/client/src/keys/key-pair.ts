import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from "jose";

/** A key pair of WebCrypto. The private key can sign, but can't be exported. */
export type KeyPair = {
  privateKey: CryptoKey;
  /** with `kid` (RFC 7638 thumbprint unless another was given), `alg` and `use` */
  publicJwk: JWK;
};

type Algorithm = "ES256" | "PS256" | "EdDSA";

const publicMembers = ["kty", "crv", "x", "y", "n", "e"] as const;

/** Only the public members of the key (RFC 7638 §3.2). */
const toPublic = (jwk: JWK): JWK =>
  Object.fromEntries(publicMembers.flatMap((name) => (jwk[name] === undefined ? [] : [[name, jwk[name]]])));

const describePublicKey = async (
  jwk: JWK,
  { alg, kid }: { alg: Algorithm; kid?: string | undefined },
): Promise<JWK> => {
  const members = toPublic(jwk);
  return { ...members, kid: kid ?? (await calculateJwkThumbprint(members)), alg, use: "sig" };
};

/** A new P-256 key pair. */
export const createKeyPair = async (): Promise<KeyPair> => {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: false });
  return { privateKey, publicJwk: await describePublicKey(await exportJWK(publicKey), { alg: "ES256" }) };
};

/** The algorithms that the service accepts (FAPI 2.0 §5.4). */
const algorithmOf = ({ kty, crv }: JWK): Algorithm => {
  if (kty === "EC" && crv === "P-256") return "ES256";
  if (kty === "OKP" && crv === "Ed25519") return "EdDSA";
  if (kty === "RSA") return "PS256";
  throw new TypeError("privateJwk and dpopJwk must be a P-256, Ed25519 or RSA key");
};

/** @throws TypeError if the JWK isn't a private key of a supported type. */
export const importKeyPair = async (jwk: JWK): Promise<KeyPair> => {
  const alg = algorithmOf(jwk);
  if (typeof jwk.d !== "string") throw new TypeError("privateJwk and dpopJwk must contain the private key");
  const privateKey = await importJWK({ ...jwk, alg, ext: false }, alg, { extractable: false });
  if (privateKey instanceof Uint8Array) throw new TypeError("privateJwk must not be a symmetric key");
  return { privateKey, publicJwk: await describePublicKey(jwk, { alg, kid: jwk.kid }) };
};

const isAlgorithm = (alg: unknown): alg is Algorithm => alg === "ES256" || alg === "PS256" || alg === "EdDSA";

/** The compact JWS of `claims`. `header` is added to `alg`. */
export const signWith = ({ privateKey, publicJwk }: KeyPair, header: object, claims: JWTPayload): Promise<string> => {
  const { alg } = publicJwk;
  if (!isAlgorithm(alg)) throw new TypeError("publicJwk of a key pair must have an alg");
  return new SignJWT(claims).setProtectedHeader({ alg, ...header }).sign(privateKey);
};

/** The public key as it is in a JWS header and in a thumbprint: without `kid`, `alg` and `use`. */
export const bareJwk = ({ publicJwk }: KeyPair): JWK => toPublic(publicJwk);
