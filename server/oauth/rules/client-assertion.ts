import { epochSeconds } from "../../kernel/clock.ts";
import { OAuthError } from "../../kernel/errors.ts";
import { isText } from "../../kernel/text.ts";

/** FAPI 2.0 §5.4: the three of them; RS256 and none are refused. */
export const assertionAlgorithms = ["ES256", "PS256", "EdDSA"] as const;

export type AssertionHeader = Readonly<Record<string, unknown>>;
export type AssertionClaims = Readonly<Record<string, unknown>>;
export type CheckedAssertion = { jti: string; expiresAt: Date };

const maxLifetimeSeconds = 3600;
/** 1-oauth: up to 10 s in the future accepted, over 60 s refused. */
const maxSkewSeconds = 30;

const refuse = (description: string): never => {
  throw new OAuthError("invalid_client", description);
};

type HeaderRule = (header: AssertionHeader, pinnedAlg: string | null) => string | null;

/** Each returns what is wrong, or null. RFC 7515 §4.1, RFC 7523 §3, FAPI 2.0 §5.4. */
const headerRules: readonly HeaderRule[] = [
  ({ alg }) => (assertionAlgorithms.some((known) => known === alg) ? null : "the assertion's alg is not supported"),
  ({ alg }, pinned) => (pinned === null || alg === pinned ? null : "the assertion's alg is not the registered one"),
  ({ typ }) =>
    typ === undefined ||
    (typeof typ === "string" &&
      ["jwt", "client-authentication+jwt"].includes(typ.toLowerCase().replace(/^application\//, "")))
      ? null
      : "the assertion's typ is not JWT",
  ({ jku, jwk, x5u, x5c }) =>
    jku === undefined && jwk === undefined && x5u === undefined && x5c === undefined
      ? null
      : "the assertion names its own key",
  ({ crit }) => (crit === undefined ? null : "the assertion has critical header parameters"),
  // RFC 7797 §7: the payload of a JWT is always base64url.
  ({ b64 }) => (b64 === undefined || b64 === true ? null : "the assertion's payload is not base64url"),
];

/** @throws OAuthError invalid_client. */
export const checkAssertionHeader = (header: AssertionHeader, pinnedAlg: string | null): void => {
  for (const rule of headerRules) {
    const problem = rule(header, pinnedAlg);
    if (problem) refuse(problem);
  }
};

/**
 * The claims of a client assertion (RFC 7523 §3, FAPI 2.0 §5.3.2.1).
 * @param audiences each value that `aud`, one string, may have for this client at this endpoint.
 * @throws OAuthError invalid_client.
 */
export const checkAssertionClaims = (
  claims: AssertionClaims,
  expected: { clientId: string; audiences: readonly string[]; now: Date },
): CheckedAssertion => {
  const now = epochSeconds(expected.now);
  const { iss, sub, aud, exp, iat, nbf, jti } = claims;
  if (iss !== expected.clientId || sub !== expected.clientId) return refuse("iss and sub must be the client_id");
  if (typeof aud !== "string" || !expected.audiences.includes(aud)) return refuse("aud is not this server's issuer");
  if (typeof exp !== "number" || !Number.isFinite(exp)) return refuse("exp is missing");
  if (exp <= now) return refuse("the assertion has expired");
  if (exp > now + maxLifetimeSeconds) return refuse("exp is more than an hour ahead");
  for (const instant of [iat, nbf]) {
    if (instant === undefined) continue;
    if (typeof instant !== "number" || !Number.isFinite(instant)) return refuse("iat and nbf must be numbers");
    if (instant > now + maxSkewSeconds) return refuse("the assertion is not valid yet");
  }
  if (typeof jti !== "string" || jti === "" || jti.length > 256)
    return refuse("jti is missing or longer than 256 characters");
  // It is kept in a statement shared with other requests: what can't be stored must not fail theirs.
  if (!isText(jti)) return refuse("jti is not text");
  return { jti, expiresAt: new Date(Math.ceil(exp) * 1000) };
};
