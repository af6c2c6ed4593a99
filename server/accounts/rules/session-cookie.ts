import { type Environment, hostCookieName, readCookie, setHostCookie } from "./cookie.ts";

export type { Environment } from "./cookie.ts";

/** The `name=value` pair that a browser sends. */
export const sessionPair = (environment: Environment, secret: string): string =>
  `${hostCookieName(environment)}=${secret}`;

export const sessionCookie = (environment: Environment, secret: string, maxAgeSeconds: number): string =>
  setHostCookie(sessionPair(environment, secret), maxAgeSeconds);

export const clearedSessionCookie = (environment: Environment): string =>
  setHostCookie(sessionPair(environment, ""), 0);

/** @returns the session's secret; null unless the header has exactly one session cookie and it is well-formed. */
export const readSessionCookie = (environment: Environment, header: string | null): string | null => {
  const secret = readCookie(hostCookieName(environment), header);
  return secret !== null && /^[A-Za-z0-9_-]{43}$/.test(secret) ? secret : null;
};
