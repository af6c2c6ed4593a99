import { getServers } from "node:dns";
import type { Config } from "../deps/config.ts";
import { firstResolvers, neededResolvers } from "../platform/outbound/needed-resolvers.ts";

export type MissingSetting = "mail" | "stripe" | "billingIssuer" | "dnsResolvers";

type Settings = Pick<Config, "environment" | "isLoopback" | "smtpUrl" | "stripe" | "billingIssuer" | "dnsResolvers">;

/**
 * The settings without which a part of production doesn't work. The sandbox needs none of them.
 * @param hasSubscriptions whether merchants are billed. Otherwise there are no invoices that need an issuer.
 * @param known the resolvers of this machine.
 */
export const missingSettings = (
  config: Settings,
  { hasSubscriptions }: { hasSubscriptions: boolean },
  known: readonly string[] = getServers(),
): MissingSetting[] => {
  if (config.environment === "sandbox") return [];
  const resolvers = config.dnsResolvers ?? firstResolvers(known);
  const isMissing: Record<MissingSetting, boolean> = {
    mail: config.smtpUrl === null,
    stripe: config.stripe === null,
    billingIssuer: config.billingIssuer === null && hasSubscriptions,
    dnsResolvers: resolvers.length < neededResolvers(config),
  };
  return (Object.keys(isMissing) as MissingSetting[]).filter((name) => isMissing[name]);
};
