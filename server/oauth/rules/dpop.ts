import { epochSeconds } from "../../kernel/clock.ts";
import { OAuthError } from "../../kernel/errors.ts";
import { isText } from "../../kernel/text.ts";

/** RFC 9449 §4.3: asymmetric algorithms that we support, none of them `none`. */
export const dpopAlgorithms = ["ES256", "PS256", "EdDSA"] as const;

const maxAgeSeconds = 60;

export type ProofExpectation = {
  method: string;
  /** address of the endpoint, without query and fragment */
  url: string;
  /** base64url SHA-256 of the access token, where one is presented */
  accessTokenHash: string | null;
  now: Date;
};

export type CheckedProof = { jti: string; issuedAt: Date; htu: string; nonce: string | null };

const refuse = (description: string): never => {
  throw new OAuthError("invalid_dpop_proof", description);
};

/** Checks 4 to 6 of RFC 9449 §4.3: typ, alg, and a public key in `jwk`. @throws OAuthError invalid_dpop_proof. */
export const checkProofHeader = (header: Readonly<Record<string, unknown>>): void => {
  if (header["typ"] !== "dpop+jwt") refuse("the proof's typ is not dpop+jwt");
  if (!dpopAlgorithms.some((known) => known === header["alg"])) refuse("the proof's alg is not supported");
  // RFC 7515 §4.1.11; and with it RFC 7797 §7: the payload of a JWT is always base64url.
  if (header["crit"] !== undefined) refuse("the proof has critical header parameters");
  const jwk = header["jwk"];
  if (typeof jwk !== "object" || jwk === null) throw new OAuthError("invalid_dpop_proof", "the proof has no jwk");
  // Private members of RFC 7518 §6: a key that was sent is no secret any more.
  for (const member of ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]) {
    if (Object.hasOwn(jwk, member)) refuse("the proof's jwk holds a private key");
  }
};

/** Checks 3 and 8 to 12 of RFC 9449 §4.3. @throws OAuthError invalid_dpop_proof. */
export const checkProofClaims = (
  claims: Readonly<Record<string, unknown>>,
  expected: ProofExpectation,
): CheckedProof => {
  const { jti, htm, htu, iat, ath, nonce } = claims;
  if (typeof jti !== "string" || jti === "" || jti.length > 256)
    return refuse("jti is missing or longer than 256 characters");
  // It is kept in a statement shared with other requests: what can't be stored must not fail theirs.
  if (!isText(jti)) return refuse("jti is not text");
  if (htm !== expected.method) return refuse("htm is not the request's method");
  if (typeof htu !== "string" || !sameAddress(htu, expected.url)) return refuse("htu is not the request's address");
  if (typeof iat !== "number" || !Number.isFinite(iat)) return refuse("iat is missing");
  if (Math.abs(iat - epochSeconds(expected.now)) > maxAgeSeconds) return refuse("iat is more than 60 seconds away");
  if (expected.accessTokenHash !== null && ath !== expected.accessTokenHash)
    return refuse("ath is not of this access token");
  if (nonce !== undefined && typeof nonce !== "string") return refuse("nonce is not a string");
  return { jti, issuedAt: new Date(Math.floor(iat) * 1000), htu: expected.url, nonce: nonce ?? null };
};

/** Compared after RFC 3986 normalisation, without query and fragment (RFC 9449 §4.3). */
const sameAddress = (htu: string, expected: string): boolean => {
  if (!URL.canParse(htu)) return false;
  const actual = new URL(htu);
  const wanted = new URL(expected);
  return actual.origin === wanted.origin && actual.pathname === wanted.pathname && !actual.username && !actual.password;
};
