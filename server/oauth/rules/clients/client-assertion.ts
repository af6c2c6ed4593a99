import { type DecodedJws, findNamedAlgorithm, jwsAlgorithmNames } from "../../../kernel/crypto/jws.ts";
import { checkRules, defineRules } from "../../../kernel/rule.ts";
import { isText } from "../../../kernel/text/text.ts";
import { epochSeconds } from "../../../kernel/time/clock.ts";
import { hasBegun, isNumericDate, isUnexpired } from "../../../kernel/time/numeric-date.ts";

/** FAPI 2.0 §5.4: three algorithms; EdDSA has two names. RS256 and `none` are refused. */
export const assertionAlgorithms = jwsAlgorithmNames;

type Members = Readonly<Record<string, unknown>>;
export type CheckedAssertion = { jti: string; expiresAt: Date };

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const maxLifetimeSeconds = 3600;
/** docs/spec/oauth.md, Client assertion: at most 30 s in the future. */
const maxSkewSeconds = 30;

const shared = { places: ["every private_key_jwt"], error: "invalid_client" } as const;

/** The form's client authentication, before verification. */
export type Presented = {
  authorization: string | null;
  form: Readonly<Record<string, string | readonly string[]>>;
  /** null if absent or malformed */
  jws: DecodedJws | null;
};

export const presentedRules = defineRules<Presented>("client authentication, method", shared, [
  {
    name: "no-authorization-header",
    source: "RFC 7523 §2.2",
    problem: "use private_key_jwt: send client_assertion in the body, without an Authorization header",
    holds: ({ authorization }) => authorization === null,
  },
  {
    name: "no-client-secret",
    source: "FAPI 2.0 §5.3.2.1",
    problem: "client secrets are not supported: use private_key_jwt",
    holds: ({ form }) => form["client_secret"] === undefined,
  },
  {
    name: "assertion-type",
    source: "RFC 7523 §2.2",
    problem: "a client_assertion of type jwt-bearer is required",
    holds: ({ form }) => form["client_assertion_type"] === assertionType && form["client_assertion"] !== undefined,
  },
  {
    name: "assertion-is-jwt",
    source: "RFC 7523 §3",
    problem: "the assertion is not a JWT",
    holds: ({ jws }) => jws !== null,
  },
  {
    name: "client-id-is-subject",
    source: "RFC 7521 §4.2",
    problem: "client_id must be the assertion's sub",
    holds: ({ form, jws }) => form["client_id"] === undefined || form["client_id"] === subjectOf(jws),
  },
]);

/** "" if absent: no client has that id. */
export const subjectOf = (jws: DecodedJws | null): string => {
  const sub = jws?.payload["sub"];
  return typeof sub === "string" && isText(sub) ? sub : "";
};

const types = ["jwt", "client-authentication+jwt"];

export const assertionHeaderRules = defineRules<{ header: Members; pinnedAlg: string | null }>(
  "client assertion, header",
  shared,
  [
    {
      name: "assertion-alg",
      source: "FAPI 2.0 §5.4",
      problem: "the assertion's alg is not supported",
      holds: ({ header: { alg } }) => assertionAlgorithms.some((known) => known === alg),
    },
    {
      name: "assertion-alg-registered",
      source: "RFC 7591 §2",
      problem: "the assertion's alg is not the registered one",
      // Both names of EdDSA mean the same algorithm: a client registered with one may use the other.
      holds: ({ header: { alg }, pinnedAlg }) =>
        pinnedAlg === null || findNamedAlgorithm(alg) === findNamedAlgorithm(pinnedAlg),
    },
    {
      name: "assertion-typ",
      source: "RFC 7515 §4.1.9",
      problem: "the assertion's typ is not JWT or client-authentication+jwt",
      holds: ({ header: { typ } }) =>
        typ === undefined ||
        (typeof typ === "string" && types.includes(typ.toLowerCase().replace(/^application\//, ""))),
    },
    {
      name: "assertion-names-no-key",
      source: "RFC 8725 §3.10",
      problem: "the assertion must not contain or link to its own key",
      holds: ({ header: { jku, jwk, x5u, x5c } }) =>
        jku === undefined && jwk === undefined && x5u === undefined && x5c === undefined,
    },
    {
      name: "assertion-crit",
      source: "RFC 7515 §4.1.11",
      problem: "the assertion has critical header parameters",
      holds: ({ header: { crit } }) => crit === undefined,
    },
    {
      name: "assertion-b64",
      source: "RFC 7797 §7",
      problem: "the assertion's payload is not base64url",
      holds: ({ header: { b64 } }) => b64 === undefined || b64 === true,
    },
  ],
);

/** @throws OAuthError invalid_client. */
export const checkAssertionHeader = (header: Members, pinnedAlg: string | null): void =>
  checkRules(assertionHeaderRules, { header, pinnedAlg });

type AssertionSubject = {
  claims: Members;
  clientId: string;
  /** accepted values of `aud` (one string) for this client */
  audiences: readonly string[];
  /** in seconds */
  now: number;
};

const isAbsentOrDate = (value: unknown): boolean => value === undefined || isNumericDate(value);

export const assertionClaimsRules = defineRules<AssertionSubject>("client assertion, claims", shared, [
  {
    name: "assertion-iss-sub",
    source: "RFC 7523 §3",
    problem: "iss and sub must be the client_id",
    holds: ({ claims: { iss, sub }, clientId }) => iss === clientId && sub === clientId,
  },
  {
    name: "assertion-aud",
    source: "FAPI 2.0 §5.3.2.1",
    problem: "aud must be one string that names this server",
    // Simple string comparison (RFC 7523 §3): the issuer with a trailing slash is another value.
    holds: ({ claims: { aud }, audiences }) => typeof aud === "string" && audiences.includes(aud),
    expected: ({ audiences }) => audiences,
  },
  {
    name: "assertion-exp",
    source: "RFC 7523 §3",
    problem: "exp is missing or not a number",
    holds: ({ claims: { exp } }) => isNumericDate(exp),
  },
  {
    name: "assertion-not-expired",
    source: "RFC 7523 §3",
    problem: "the assertion has expired",
    holds: ({ claims: { exp }, now }) => isUnexpired(exp, now),
  },
  {
    name: "assertion-lifetime",
    source: "RFC 7523 §3",
    problem: "exp is more than an hour ahead",
    holds: ({ claims: { exp }, now }) => Number(exp) <= now + maxLifetimeSeconds,
  },
  {
    name: "assertion-iat-nbf",
    source: "RFC 7519 §4.1.5",
    problem: "iat and nbf must be numbers",
    holds: ({ claims: { iat, nbf } }) => isAbsentOrDate(iat) && isAbsentOrDate(nbf),
  },
  {
    name: "assertion-not-before",
    source: "FAPI 2.0 §5.3.2.1",
    problem: "the assertion is not valid yet (nbf or iat)",
    holds: ({ claims: { iat, nbf }, now }) =>
      [iat, nbf].every((start) => start === undefined || hasBegun(start, now + maxSkewSeconds)),
  },
  {
    name: "assertion-jti",
    source: "FAPI 2.0 §5.3.2.1",
    problem: "jti is missing or longer than 256 characters",
    holds: ({ claims: { jti } }) => typeof jti === "string" && jti !== "" && jti.length <= 256,
  },
  {
    // One statement stores the values of several requests. An invalid value must not make the other requests fail.
    name: "assertion-jti-text",
    source: "RFC 7519 §4.1.7",
    problem: "jti contains NUL or an unpaired surrogate",
    holds: ({ claims: { jti } }) => isText(String(jti)),
  },
]);

/** @throws OAuthError invalid_client. */
export const checkAssertionClaims = (
  claims: Members,
  expected: { clientId: string; audiences: readonly string[]; now: Date },
): CheckedAssertion => {
  const { clientId, audiences } = expected;
  checkRules(assertionClaimsRules, { claims, clientId, audiences, now: epochSeconds(expected.now) });
  return { jti: String(claims["jti"]), expiresAt: new Date(Math.ceil(Number(claims["exp"])) * 1000) };
};

export const knownClientRules = defineRules<{ isKnown: boolean }>("client", shared, [
  {
    name: "client-known",
    source: "RFC 6749 §5.2",
    problem: "the client is unknown",
    holds: ({ isKnown }) => isKnown,
  },
]);

export const assertionKeyRules = defineRules<{ hasKey: boolean; isSigned(): boolean; isBlocked: boolean }>(
  "client assertion, signature",
  shared,
  [
    {
      name: "assertion-key",
      source: "RFC 7523 §3",
      problem: "the assertion's kid is not one of the client's keys",
      holds: ({ hasKey }) => hasKey,
    },
    {
      name: "assertion-signature",
      source: "RFC 7515 §5.2",
      problem: "the assertion's signature does not verify",
      holds: ({ isSigned }) => isSigned(),
    },
    {
      // Checked after the signature, so that only the holder of the key learns that the key is blocked.
      name: "assertion-key-not-blocked",
      source: "docs/spec/oauth.md, Blocked keys",
      problem: "the assertion's key is blocked: use another key",
      holds: ({ isBlocked }) => !isBlocked,
    },
  ],
);

/** The result of the statement that consumed the assertion. */
type Consumed = { isFresh: boolean; client: { hasForeignKey: boolean } | null };

export const assertionUseRules = defineRules<Consumed>("client assertion, use", shared, [
  {
    name: "assertion-single-use",
    source: "RFC 7523 §3",
    problem: "the assertion has been used before",
    holds: ({ isFresh }) => isFresh,
  },
  {
    name: "client-still-known",
    source: "RFC 6749 §5.2",
    problem: "the client is unknown",
    holds: ({ client }) => client !== null,
  },
  {
    name: "client-key-not-foreign",
    source: "docs/spec/oauth.md, Key separation",
    problem: "the client's key is used in production: use a separate key in the sandbox",
    holds: ({ client }) => client?.hasForeignKey === false,
  },
]);
