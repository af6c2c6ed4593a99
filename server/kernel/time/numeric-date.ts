/** Times in a JWT are seconds since the epoch, with or without a fraction (NumericDate, RFC 7519 §2). */
export const isNumericDate = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/**
 * RFC 7519 §4.1.4: a JWT is refused at its `exp` and later. A claim that is absent or isn't a NumericDate is refused
 * too: if a claim may be absent, the caller checks that first.
 * @param now in seconds, minus the leeway.
 */
export const isUnexpired = (exp: unknown, now: number): boolean => isNumericDate(exp) && exp > now;

/**
 * Whether a JWT's `nbf` has passed (RFC 7519 §4.1.5). Also used for `iat` where a JWT that was issued in the future is
 * refused.
 * @param now in seconds, with the leeway.
 */
export const hasBegun = (start: unknown, now: number): boolean => isNumericDate(start) && start <= now;
