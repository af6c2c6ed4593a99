/**
 * Whether a request failed with a server error other than 503. During a fault, a request may be lost or refused with
 * 503, but must not fail with another server error.
 * @param error an error of the functions in e2e/support, whose message contains the status
 */
export const isServerError = (error: unknown): boolean => /(?:: | in )5(?!03)\d\d\b/.test(String(error));
