/** @returns the verified domain that is the host itself or a parent domain of the host; null if there is none. */
export const verifiedDomainOf = (host: string, domains: readonly string[]): string | null =>
  domains.find((domain) => host === domain || host.endsWith(`.${domain}`)) ?? null;

/**
 * The domain under which a client is shown as verified (docs/spec/portal.md, Consent). Everything that shows whether a
 * client is verified uses this function.
 * @param redirectUris where the client's authorization responses go: all of them must be https, on a verified domain
 * @param domains the domains of the client's directory entry that are verified now
 * @returns null for a client that isn't verified.
 */
export const clientDomain = (redirectUris: readonly string[], domains: readonly string[]): string | null => {
  const found = redirectUris.map((uri) => {
    const url = URL.parse(uri);
    return url?.protocol === "https:" ? verifiedDomainOf(url.hostname, domains) : null;
  });
  return found.includes(null) ? null : (found[0] ?? null);
};
