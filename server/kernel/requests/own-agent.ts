/**
 * User-Agent of requests between our own processes, such as probes, the simulator's events and the sandbox's key list.
 * It marks a request's log line and has no other effect, because anyone may send it.
 */
export const ownUserAgent = "Paygrant-Internal";

export const isOwnUserAgent = (userAgent: string | undefined): boolean => userAgent === ownUserAgent;
