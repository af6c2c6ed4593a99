import { OAuthError } from "../../../kernel/errors.ts";
import { epochSeconds } from "../../../kernel/time/clock.ts";

/** Lifetimes in seconds (docs/spec/oauth.md, Access tokens). */
export const accessTokenSeconds = { mandate: 300, clientCredentials: 600 } as const;

/**
 * Lifetime of a token with mandates, in whole seconds. The token expires at the latest when the first of its mandates
 * ends, but lasts at least one second.
 * @throws OAuthError invalid_authorization_details if `firstEnd` is in the past.
 */
export const mandateTokenSeconds = (now: Date, firstEnd: Date | null): number => {
  if (firstEnd === null) return accessTokenSeconds.mandate;
  if (firstEnd <= now) throw new OAuthError("invalid_authorization_details", "valid_until has passed");
  return Math.min(accessTokenSeconds.mandate, Math.max(1, epochSeconds(firstEnd) - epochSeconds(now)));
};

export const codeSeconds = 60;
export const requestUriSeconds = 300;
export const completionSeconds = 15 * 60;
export const refreshTokenSeconds = 365 * 24 * 3600;
/** An identical retry gets the same successor within this time. */
export const refreshRetrySeconds = 30;
/** Maximum age of authentication for consent. */
export const freshProofSeconds = 300;

/**
 * Maximum age of the payer's authentication if a token discloses the payer's data (RFC 9470). European rules for
 * account access require a new strong authentication after this time (Delegated Regulation (EU) 2018/389, Article 10a).
 */
export const authenticationAgeLimitSeconds = 180 * 24 * 3600;

export const requestUriPrefix = "urn:ietf:params:oauth:request_uri:";

/** The supported authentication methods: `acr` of tokens and `acr_values` of requests (RFC 9470 §4). */
export const acrValues = ["urn:paygrant:acr:password", "urn:paygrant:acr:passkey"] as const;
