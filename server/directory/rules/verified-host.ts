import { verifiedDomainOf } from "../../kernel/text/verified-domain.ts";

/** Whether the host is a verified domain of the participant or a subdomain of one. */
export const isVerifiedHost = (
  { verifiedDomains }: { verifiedDomains: readonly { domain: string }[] },
  host: string,
): boolean =>
  verifiedDomainOf(
    host,
    verifiedDomains.map(({ domain }) => domain),
  ) !== null;
