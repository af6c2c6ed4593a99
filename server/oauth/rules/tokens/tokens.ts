import { OAuthError } from "../../../kernel/errors.ts";
import { epochSeconds } from "../../../kernel/time/clock.ts";

/** Lifetimes in seconds (docs/spec/oauth.md, Access tokens). */
export const accessTokenSeconds = { mandate: 300, clientCredentials: 600 } as const;

/**
 * Of a token that names mandates: it goes before the first of them does, in whole seconds.
 * @throws OAuthError invalid_authorization_details where that has been, as details narrowed to the past say.
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
/** Consent asks who is there again where the last proof is older. */
export const freshProofSeconds = 300;

/**
 * Where a token hands out or tells what is the payer's: older than this is their proof no longer taken (RFC 9470). As long
 * as European law lets an account be read between two strong authentications (Delegated Regulation (EU) 2018/389, Article 10a).
 */
export const payerProofSeconds = 180 * 24 * 3600;

export const requestUriPrefix = "urn:ietf:params:oauth:request_uri:";

/** How a payer can prove who they are, as `acr` of tokens and `acr_values` of requests (RFC 9470 §4). */
export const acrValues = ["urn:paygrant:acr:password", "urn:paygrant:acr:passkey"] as const;
