import { addSeconds } from "../../../kernel/time/clock.ts";

const minSeconds = 60;
const maxSeconds = 15 * 60;
/** The lifetime without a valid max-age in Cache-Control. */
const defaultSeconds = 5 * 60;

/** Wait after a failed load. An unknown kid may trigger a load after `refetchSeconds`. */
export const retrySeconds = 10;
export const refetchSeconds = 60;

/** Lifetime of keys from a jwks_uri: from its headers (RFC 9111 §5.2.2), between 1 and 15 minutes. */
export const keySetSeconds = (cacheControl: string | undefined): number => {
  const directives = (cacheControl ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.trim());
  if (directives.includes("no-store") || directives.includes("no-cache")) return minSeconds;
  const seconds = directives.map((directive) => /^max-age="?(\d{1,10})"?$/.exec(directive)?.[1]).find(Boolean);
  return seconds === undefined ? defaultSeconds : Math.min(Math.max(Number(seconds), minSeconds), maxSeconds);
};

/** Maximum clock difference of two nodes. */
const skewSeconds = 60;

/** Whether loaded keys can be used. They can't if `loadedAt` is over a minute ahead: then the clock was set back. */
export const areCurrent = ({ loadedAt, expiresAt }: { loadedAt: Date; expiresAt: Date }, now: Date): boolean =>
  expiresAt > now && loadedAt <= addSeconds(now, skewSeconds);

/** Whether a failed load delays the next one. A `retryAt` too far ahead doesn't: then the clock was set back. */
export const isDeferred = (retryAt: Date | null, now: Date): boolean =>
  retryAt !== null && retryAt > now && retryAt <= addSeconds(now, retrySeconds + skewSeconds);

/** Keys are reloaded in the last quarter of their lifetime, but not in the first minute. */
export const renewAt = ({ loadedAt, expiresAt }: { loadedAt: Date; expiresAt: Date }): Date => {
  const lifetimeSeconds = (expiresAt.getTime() - loadedAt.getTime()) / 1000;
  return addSeconds(loadedAt, Math.max(minSeconds, lifetimeSeconds * 0.75));
};
