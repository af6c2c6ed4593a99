import { Resolver } from "node:dns/promises";

/** @returns all addresses of a name; empty if it has none or can't be resolved. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Queries the configured name servers for A and AAAA records. `dns.lookup` isn't used, because it blocks a thread that
 * signatures need, and it also resolves names of this machine and its network (hosts file, search domains).
 */
export const resolveHost: Resolve = async (hostname, signal) => {
  const resolver = new Resolver({ timeout: 1500, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  signal.removeEventListener("abort", cancel);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
};
