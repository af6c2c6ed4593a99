import { jwsAlgorithmNames } from "../../../kernel/crypto/jws.ts";
import { isPublic } from "../../../kernel/crypto/private-members.ts";
import { checkRules, defineRules } from "../../../kernel/rule.ts";
import { isText } from "../../../kernel/text/text.ts";
import { decodeUnreserved } from "../../../kernel/text/uri.ts";
import { epochSeconds } from "../../../kernel/time/clock.ts";
import { hasBegun, isNumericDate, isUnexpired } from "../../../kernel/time/numeric-date.ts";

/** RFC 9449 §4.3: the supported asymmetric algorithms. */
export const dpopAlgorithms = jwsAlgorithmNames;

const maxAgeSeconds = 60;

type Members = Readonly<Record<string, unknown>>;

const shared = {
  places: ["pushAuthorizationRequest", "token", "every access token"],
  error: "invalid_dpop_proof",
} as const;

export const proofFormRules = defineRules<{ isJwt: boolean }>("DPoP proof, format", shared, [
  {
    name: "proof-is-jwt",
    source: "RFC 9449 §4.3 (2)",
    problem: "the proof is not a JWT",
    holds: ({ isJwt }) => isJwt,
  },
]);

export const proofSignatureRules = defineRules<{ isSigned(): boolean }>("DPoP proof, signature", shared, [
  {
    name: "proof-signature",
    source: "RFC 9449 §4.3 (6)",
    problem: "the proof is not signed by its jwk",
    holds: ({ isSigned }) => isSigned(),
  },
]);

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

export const proofHeaderRules = defineRules<Members>("DPoP proof, header", shared, [
  {
    name: "proof-typ",
    source: "RFC 9449 §4.3 (4)",
    problem: "the proof's typ is not dpop+jwt",
    holds: ({ typ }) => typ === "dpop+jwt",
  },
  {
    name: "proof-alg",
    source: "RFC 9449 §4.3 (5)",
    problem: "the proof's alg is not supported",
    holds: ({ alg }) => dpopAlgorithms.some((known) => known === alg),
  },
  {
    // This also refuses `b64` (RFC 7797 §7): the payload of a JWT is always base64url.
    name: "proof-crit",
    source: "RFC 7515 §4.1.11",
    problem: "the proof has critical header parameters",
    holds: ({ crit }) => crit === undefined,
  },
  {
    name: "proof-jwk",
    source: "RFC 9449 §4.2",
    problem: "the proof has no jwk",
    holds: ({ jwk }) => isObject(jwk),
  },
  {
    name: "proof-jwk-public",
    source: "RFC 9449 §4.3 (7)",
    problem: "the proof's jwk contains a private key",
    holds: ({ jwk }) => isObject(jwk) && isPublic(jwk),
  },
]);

/** @throws OAuthError invalid_dpop_proof. */
export const checkProofHeader = (header: Members): void => checkRules(proofHeaderRules, header);

export type ProofExpectation = {
  method: string;
  /** URL of the endpoint, without query and fragment */
  url: string;
  /** base64url SHA-256 of the access token, if one is presented */
  accessTokenHash: string | null;
  now: Date;
};

export type CheckedProof = { jti: string; issuedAt: Date; htu: string; nonce: string | null };

export const proofClaimsRules = defineRules<{ claims: Members; expected: ProofExpectation }>(
  "DPoP proof, claims",
  shared,
  [
    {
      name: "proof-jti",
      source: "RFC 9449 §4.2",
      problem: "jti is missing or longer than 256 characters",
      holds: ({ claims: { jti } }) => typeof jti === "string" && jti !== "" && jti.length <= 256,
    },
    {
      // One statement stores the values of several requests. An invalid value must not make the other requests fail.
      name: "proof-jti-text",
      source: "RFC 7519 §4.1.7",
      problem: "jti contains NUL or an unpaired surrogate",
      holds: ({ claims: { jti } }) => isText(String(jti)),
    },
    {
      name: "proof-htm",
      source: "RFC 9449 §4.3 (8)",
      problem: "htm differs from the request's method",
      holds: ({ claims: { htm }, expected }) => htm === expected.method,
    },
    {
      name: "proof-htu",
      source: "RFC 9449 §4.3 (9)",
      problem: "htu differs from the request's URL",
      holds: ({ claims: { htu }, expected }) => typeof htu === "string" && sameAddress(htu, expected.url),
    },
    {
      name: "proof-iat",
      source: "RFC 9449 §4.2",
      problem: "iat is missing or not a number",
      holds: ({ claims: { iat } }) => isNumericDate(iat),
    },
    {
      name: "proof-age",
      source: "RFC 9449 §4.3 (11)",
      problem: "iat differs from the server's time by more than 60 seconds",
      holds: ({ claims: { iat }, expected }) => Math.abs(Number(iat) - epochSeconds(expected.now)) <= maxAgeSeconds,
    },
    {
      // `exp` and `nbf` are optional, because `iat` limits the age. They are checked if present, with clock leeway.
      name: "proof-exp",
      source: "RFC 7519 §4.1.4",
      problem: "exp has passed or is not a number",
      holds: ({ claims: { exp }, expected }) =>
        exp === undefined || isUnexpired(exp, epochSeconds(expected.now) - maxAgeSeconds),
    },
    {
      name: "proof-nbf",
      source: "RFC 7519 §4.1.5",
      problem: "nbf is in the future or not a number",
      holds: ({ claims: { nbf }, expected }) =>
        nbf === undefined || hasBegun(nbf, epochSeconds(expected.now) + maxAgeSeconds),
    },
    {
      name: "proof-ath",
      source: "RFC 9449 §4.3 (12)",
      places: ["every access token"],
      problem: "ath doesn't match the access token",
      holds: ({ claims: { ath }, expected }) => expected.accessTokenHash === null || ath === expected.accessTokenHash,
    },
    {
      name: "proof-nonce",
      source: "RFC 9449 §4.2",
      problem: "nonce is not a string",
      holds: ({ claims: { nonce } }) => nonce === undefined || typeof nonce === "string",
    },
  ],
);

/** @throws OAuthError invalid_dpop_proof. */
export const checkProofClaims = (claims: Members, expected: ProofExpectation): CheckedProof => {
  checkRules(proofClaimsRules, { claims, expected });
  const { jti, iat, nonce } = claims;
  return {
    jti: String(jti),
    issuedAt: new Date(Math.floor(Number(iat)) * 1000),
    htu: expected.url,
    nonce: typeof nonce === "string" ? nonce : null,
  };
};

/** Compared after RFC 3986 normalization, without query and fragment (RFC 9449 §4.3). */
const sameAddress = (htu: string, expected: string): boolean => {
  if (!URL.canParse(htu)) return false;
  const actual = new URL(htu);
  const wanted = new URL(expected);
  return actual.origin === wanted.origin && isSamePath(actual, wanted) && !actual.username && !actual.password;
};

/** `URL` removes dot segments and keeps escapes as written. */
const isSamePath = (actual: URL, wanted: URL): boolean =>
  actual.pathname === wanted.pathname || decodeUnreserved(actual.pathname) === decodeUnreserved(wanted.pathname);

/** Facts about a proof in addition to its claims. */
type ProofUse = {
  nonce: string | null;
  mode: "off" | "optional" | "required";
  /** issued by us recently */
  isFresh(nonce: string): boolean;
};

export const proofNonceRules = defineRules<ProofUse>("DPoP proof, nonce", { ...shared, error: "use_dpop_nonce" }, [
  {
    name: "proof-nonce-fresh",
    source: "RFC 9449 §8",
    problem: "the proof needs the nonce from the DPoP-Nonce header",
    holds: ({ nonce, mode, isFresh }) => mode === "off" || (nonce === null ? mode === "optional" : isFresh(nonce)),
  },
]);

export const proofUseRules = defineRules<{ isFresh: boolean; isBlocked: boolean }>("DPoP proof, use", shared, [
  {
    name: "proof-single-use",
    source: "RFC 9449 §11.1",
    problem: "the proof has been used before",
    holds: ({ isFresh }) => isFresh,
  },
  {
    name: "proof-key-not-blocked",
    source: "docs/spec/oauth.md, Blocked keys",
    problem: "the proof's key is blocked: use another key",
    holds: ({ isBlocked }) => !isBlocked,
  },
]);

export const proofOfClientRules = defineRules<{ isBound: boolean; hasProof: boolean }>(
  "DPoP proof, presence",
  { ...shared, places: ["token"] },
  [
    {
      name: "proof-of-bound-client",
      source: "RFC 9449 §5.2",
      problem: "a DPoP proof is required",
      holds: ({ isBound, hasProof }) => !isBound || hasProof,
    },
  ],
);

/** `boundTo`: the key to which a code is bound, or `dpop_jkt` of a pushed request; null if there is none. */
type Binding = { boundTo: string | null; jkt: string | null };

const isBoundKey = ({ boundTo, jkt }: Binding): boolean => boundTo === null || boundTo === jkt;

export const pushedKeyRules = defineRules<Binding>(
  "DPoP proof, key",
  { ...shared, places: ["pushAuthorizationRequest"] },
  [
    {
      name: "dpop-jkt-of-proof",
      source: "RFC 9449 §10.1",
      problem: "dpop_jkt is not the thumbprint of the proof's key",
      holds: isBoundKey,
    },
  ],
);

export const codeKeyRules = defineRules<Binding>("DPoP proof, key of the code", { ...shared, places: ["token"] }, [
  { name: "code-key", source: "RFC 9449 §10", problem: "the code is bound to another key", holds: isBoundKey },
]);
