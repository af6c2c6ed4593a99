import type { Config, Quota } from "../../deps/config.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addressPrefix, isLoopbackAddress } from "../../kernel/text/ip-address.ts";
import { RecentMap } from "./recent-map.ts";
import { take } from "./token-bucket.ts";

type Limited = { config: Pick<Config, "isEmbedded" | "rateLimitLoopback"> };

/**
 * A limit by network address that a process counts for itself, for one that runs alone and needs no database.
 * @param now monotonic, in milliseconds. @returns what refuses the caller, too_many_requests; null where it may go on.
 */
export const createAddressLimit = (quota: Quota, now: () => number = () => performance.now()) => {
  /** when each address's bucket is full again */
  const fullAt = new RecentMap<number>(20_000);
  return ({ config }: Limited, ipAddress: string): DomainError | null => {
    if (config.isEmbedded && !config.rateLimitLoopback && isLoopbackAddress(ipAddress)) return null;
    const [key, at] = [addressPrefix(ipAddress), now()];
    const taken = take(quota, fullAt.get(key) ?? at, at);
    fullAt.set(key, taken.fullAt);
    if (taken.isAllowed) return null;
    return new DomainError(
      "rate_limited",
      "too_many_requests",
      "Too many requests from this address. Try again later.",
      { headers: { "retry-after": String(Math.ceil(taken.untilNextMilliseconds / 1000)) } },
    );
  };
};
