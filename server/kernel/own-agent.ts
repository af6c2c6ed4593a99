/**
 * User-Agent of what our own processes ask of each other: probes, the simulator's events, the sandbox's key list. It marks
 * a request's log line and decides nothing else, since anyone may send it.
 */
export const ownUserAgent = "Paygrant-Internal";

export const isOwnUserAgent = (userAgent: string | undefined): boolean => userAgent === ownUserAgent;
