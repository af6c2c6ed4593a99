/** @returns the verified domain that is the host itself or a parent domain of the host; null if there is none. */
export const verifiedDomainOf = (host: string, domains: readonly string[]): string | null =>
  domains.find((domain) => host === domain || host.endsWith(`.${domain}`)) ?? null;
