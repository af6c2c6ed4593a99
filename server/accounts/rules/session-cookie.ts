export type Environment = "production" | "sandbox";

/**
 * Cookies ignore ports, so the name carries the environment: on one machine production and sandbox share a host.
 * `__Host-` binds it to this very host, over https or loopback (RFC 6265bis §4.1.3.2).
 */
const sessionCookieName = (environment: Environment): string =>
  environment === "production" ? "__Host-pg_live" : "__Host-pg_test";

const attributes = "Path=/; Secure; HttpOnly; SameSite=Lax";

/** As a browser sends it. */
export const sessionPair = (environment: Environment, secret: string): string =>
  `${sessionCookieName(environment)}=${secret}`;

export const sessionCookie = (environment: Environment, secret: string, maxAgeSeconds: number): string =>
  `${sessionPair(environment, secret)}; Max-Age=${maxAgeSeconds}; ${attributes}`;

export const clearedSessionCookie = (environment: Environment): string =>
  `${sessionCookieName(environment)}=; Max-Age=0; ${attributes}`;

/** @returns the session's secret, or null where the header holds none, a malformed one, or two. */
export const readSessionCookie = (environment: Environment, header: string | null): string | null => {
  const prefix = `${sessionCookieName(environment)}=`;
  const found = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  const [secret] = found;
  return found.length === 1 && secret && /^[A-Za-z0-9_-]{43}$/.test(secret) ? secret : null;
};
