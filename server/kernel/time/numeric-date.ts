/** Times of a JWT are numbers of seconds since the epoch, whole or not (NumericDate, RFC 7519 §2). */
export const isNumericDate = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/**
 * RFC 7519 §4.1.4: a JWT is refused from its `exp` on. One that is no NumericDate, or isn't there, ends nothing and is
 * refused as well: where a claim may be absent, that is the caller's to say.
 * @param now in seconds, less the leeway.
 */
export const isUnexpired = (exp: unknown, now: number): boolean => isNumericDate(exp) && exp > now;

/**
 * The same for the start: `nbf` (RFC 7519 §4.1.5), and `iat` where a JWT from the future is refused.
 * @param now in seconds, with the leeway.
 */
export const hasBegun = (start: unknown, now: number): boolean => isNumericDate(start) && start <= now;
