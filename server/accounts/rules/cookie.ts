export type Environment = "production" | "sandbox";

/**
 * Cookies ignore ports, so the name contains the environment: on one machine, production and sandbox share a host.
 * `__Host-` binds the cookie to exactly this host, over https or loopback (RFC 6265bis §4.1.3.2).
 */
export const hostCookieName = (environment: Environment, suffix = ""): string =>
  `__Host-pg_${environment === "production" ? "live" : "test"}${suffix}`;

export const setHostCookie = (pair: string, maxAgeSeconds: number): string =>
  `${pair}; Max-Age=${maxAgeSeconds}; Path=/; Secure; HttpOnly; SameSite=Lax`;

/** @returns the cookie's value; null unless the header has exactly one cookie with this name. */
export const readCookie = (name: string, header: string | null): string | null => {
  const prefix = `${name}=`;
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  return values.length === 1 ? (values[0] ?? null) : null;
};
