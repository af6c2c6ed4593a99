import type { RequestInfo } from "../../deps.ts";
import { RecentMap } from "../../http/limits/recent-map.ts";
import { take } from "../../http/limits/token-bucket.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addressPrefix, isLoopbackAddress } from "../../kernel/ip-address.ts";
import type { StatusDeps } from "../runtime.ts";

/** Each may send a mail, or a request to somebody's server. */
const quota = { requests: 20, seconds: 3600 };

/** One status process runs, so it counts for itself. By network address: when its bucket is full again. */
const fullAt = new RecentMap<number>(20_000);

/** @throws DomainError too_many_requests. */
export const admitSubscription = ({ config, clock }: StatusDeps, { ipAddress }: RequestInfo): void => {
  if (config.isEmbedded && !config.rateLimitLoopback && isLoopbackAddress(ipAddress)) return;
  const [key, now] = [addressPrefix(ipAddress), clock.now().getTime()];
  const taken = take(quota, fullAt.get(key) ?? now, now);
  fullAt.set(key, taken.fullAt);
  if (taken.isAllowed) return;
  throw new DomainError(
    "rate_limited",
    "too_many_requests",
    "Too many subscriptions by this address; try again later.",
    {
      headers: { "retry-after": String(Math.ceil(taken.untilNextMilliseconds / 1000)) },
    },
  );
};
