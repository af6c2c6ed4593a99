import { Resolver } from "node:dns/promises";
import type { Dns } from "../../deps/dns.ts";
import { firstResolvers } from "./needed-resolvers.ts";
import { OutboundError } from "./outbound.ts";
import { siteOf } from "./outbound-url.ts";
import { createPlaces } from "./places.ts";

/** Time limit for all attempts at one resolver together. */
const timeoutMilliseconds = 4_000;
/** If a name has more records, or more text in total, all its records are ignored. */
const maxRecords = 100;
const maxCharacters = 16 * 1024;

/**
 * Look-ups at the two resolvers of DNS_RESOLVERS. Each resolver is asked separately, so that a forged answer in the
 * cache of one resolver isn't sufficient proof.
 * @param resolvers null: the first two resolvers of this machine, or its only one.
 */
export const createDns = (resolvers: readonly string[] | null): Dns => {
  const places = createPlaces();
  return {
    async txtAtEach(name) {
      const claim = places.claim(true);
      try {
        if (!claim.takeFor(siteOf(name)) || !claim.take()) throw new OutboundError("busy", "too many look-ups");
        // Read for each look-up: this machine's resolvers change with its network.
        const servers = resolvers ?? firstResolvers();
        return await Promise.all(servers.map((server) => txtAt(server, name)));
      } finally {
        claim.releaseAll();
      }
    },
  };
};

const txtAt = async (server: string, name: string): Promise<string[]> => {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  resolver.setServers([server]);
  const timer = setTimeout(() => resolver.cancel(), timeoutMilliseconds);
  // Every failure counts as a name without records, including an invalid name and a time-out.
  const records = await resolver.resolveTxt(name).catch(() => []);
  clearTimeout(timer);
  const texts = records.map((strings) => strings.join(""));
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  return texts.length > maxRecords || size > maxCharacters ? [] : texts;
};
