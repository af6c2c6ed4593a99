import { addSeconds } from "../../../kernel/time/clock.ts";

const minSeconds = 60;
const maxSeconds = 15 * 60;
/** Where the headers say nothing. */
const defaultSeconds = 5 * 60;

/** After a load that failed; an unknown kid may ask again after `refetchSeconds`. */
export const retrySeconds = 10;
export const refetchSeconds = 60;

/** How long keys from a jwks_uri count: what the headers ask for (RFC 9111 §5.2.2), between a minute and a quarter of an hour. */
export const keySetSeconds = (cacheControl: string | undefined): number => {
  const directives = (cacheControl ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.trim());
  if (directives.includes("no-store") || directives.includes("no-cache")) return minSeconds;
  const seconds = directives.map((directive) => /^max-age="?(\d{1,10})"?$/.exec(directive)?.[1]).find(Boolean);
  return seconds === undefined ? defaultSeconds : Math.min(Math.max(Number(seconds), minSeconds), maxSeconds);
};

/** By which the clocks of two nodes may differ. */
const skewSeconds = 60;

/** Within their time; not where they were loaded later than now, since the clock stepped back. */
export const areCurrent = ({ loadedAt, expiresAt }: { loadedAt: Date; expiresAt: Date }, now: Date): boolean =>
  expiresAt > now && loadedAt <= addSeconds(now, skewSeconds);

/** Whether a load that failed keeps others from loading: no longer than `retrySeconds`, even where the clock stepped back. */
export const isDeferred = (retryAt: Date | null, now: Date): boolean =>
  retryAt !== null && retryAt > now && retryAt <= addSeconds(now, retrySeconds + skewSeconds);

/** In the last quarter of their life, and never in their first minute, keys are loaded anew while they still count. */
export const renewAt = ({ loadedAt, expiresAt }: { loadedAt: Date; expiresAt: Date }): Date => {
  const lifetimeSeconds = (expiresAt.getTime() - loadedAt.getTime()) / 1000;
  return addSeconds(loadedAt, Math.max(minSeconds, lifetimeSeconds * 0.75));
};
