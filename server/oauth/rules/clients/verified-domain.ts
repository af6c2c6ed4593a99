/** @returns the verified domain to which the host belongs, itself or as a subdomain; null if there is none. */
export const verifiedDomainOf = (host: string, domains: readonly string[]): string | null =>
  domains.find((domain) => host === domain || host.endsWith(`.${domain}`)) ?? null;
