import { getServers } from "node:dns";
import type { Config } from "../../deps/config.ts";
import type { Log } from "../../deps/deps.ts";

/** The first two resolvers of this machine, or its only one. A machine may list one resolver twice. */
export const firstResolvers = (known: readonly string[] = getServers()): string[] => [...new Set(known)].slice(0, 2);

/** In production on a public address, two resolvers must agree. Elsewhere, a machine's only resolver is enough. */
export const neededResolvers = ({ environment, isLoopback }: Pick<Config, "environment" | "isLoopback">): number =>
  environment === "production" && !isLoopback ? 2 : 1;

type Resolvers = { config: Pick<Config, "environment" | "isLoopback" | "dnsResolvers">; log: Pick<Log, "warn"> };

/** Warns if DNS records can't prove domains, because too few resolvers are known. */
export const warnOfFewResolvers = ({ config, log }: Resolvers, known: readonly string[] = getServers()): void => {
  const resolvers = config.dnsResolvers ?? firstResolvers(known);
  if (resolvers.length >= neededResolvers(config)) return;
  log.warn({ resolvers }, "DNS records can't prove domains: set DNS_RESOLVERS to two resolvers");
};
