/** Lifetimes in seconds (1-oauth, Access tokens, Code, Refresh, PAR, Authorize). */
export const accessTokenSeconds = { mandate: 300, clientCredentials: 600 } as const;
export const codeSeconds = 60;
export const requestUriSeconds = 300;
export const completionSeconds = 15 * 60;
export const refreshTokenSeconds = 365 * 24 * 3600;
/** An identical retry gets the same successor within this time. */
export const refreshRetrySeconds = 30;
/** Consent asks for the password again where the last proof is older. */
export const freshProofSeconds = 300;

export const requestUriPrefix = "urn:ietf:params:oauth:request_uri:";

/** How a payer can prove who they are, as `acr` of tokens and `acr_values` of requests (RFC 9470 §4). */
export const acrValues = ["urn:paygrant:acr:password"] as const;
