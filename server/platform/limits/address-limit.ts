import type { Config, Quota } from "../../deps/config.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addressPrefix, isLoopbackAddress } from "../../kernel/text/ip-address.ts";
import { RecentMap } from "./recent-map.ts";
import { take } from "./token-bucket.ts";

type Limited = { config: Pick<Config, "isEmbedded" | "rateLimitLoopback"> };

/**
 * A limit by IP address within one process, for a process that runs alone without a database.
 * @param now monotonic, in milliseconds. @returns the error too_many_requests; null if the request is admitted.
 */
export const createAddressLimit = (quota: Quota, now: () => number = () => performance.now()) => {
  /** by address: when its bucket is full again */
  const fullAt = new RecentMap<number>(20_000);
  return ({ config }: Limited, ipAddress: string): DomainError | null => {
    if (config.isEmbedded && !config.rateLimitLoopback && isLoopbackAddress(ipAddress)) return null;
    const [key, at] = [addressPrefix(ipAddress), now()];
    const taken = take(quota, fullAt.get(key) ?? at, at);
    fullAt.set(key, taken.fullAt);
    if (taken.isAllowed) return null;
    return new DomainError("rate_limited", {
      code: "too_many_requests",
      message: "Too many requests from this address. Try again later.",
      headers: { "retry-after": String(Math.ceil(taken.untilNextMilliseconds / 1000)) },
    });
  };
};
