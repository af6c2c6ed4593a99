import { isIP } from "node:net";
import { getDomain } from "tldts";
import { addressPrefix } from "../../kernel/text/ip-address.ts";
import { isLoopback } from "./global-address.ts";

/** RFC 3986 §2. */
const uriCharacters = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

export type OutboundTarget = {
  /** the name to resolve, which the certificate must contain; without brackets and a final dot */
  hostname: string;
  /** the host if it is an IP address; null if it is a name */
  literal: string | null;
  port: number;
  isTls: boolean;
  path: string;
  hostHeader: string;
};

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** Whether the host name has at most 253 characters, and 63 in each label (RFC 1035 §2.3.4). */
const canResolve = (host: string): boolean => host.length <= 253 && host.split(".").every(({ length }) => length <= 63);

/**
 * Reads a URL that another party chose: https on port 443, without credentials or a fragment.
 * @param allowLoopback also allows http on a loopback IP address, for tests.
 * @returns the target, or a text that says what is wrong.
 */
export const readOutboundUrl = (
  text: string,
  { allowLoopback }: { allowLoopback: boolean },
): OutboundTarget | { problem: string } => {
  if (text.length > 2000) return { problem: "is longer than 2000 characters" };
  if (!uriCharacters.test(text) || !URL.canParse(text)) return { problem: "is not an absolute URI" };
  const url = new URL(text);
  if (text.includes("#")) return { problem: "has a fragment" };
  if (url.username || url.password) return { problem: "has credentials" };
  if (!canResolve(url.hostname)) return { problem: "has a host name that is too long" };
  const bare = withoutBrackets(url.hostname);
  const literal = isIP(bare) ? bare : null;
  const isTest = allowLoopback && url.protocol === "http:" && literal !== null && isLoopback(literal);
  if (!isTest && (url.protocol !== "https:" || url.port !== "")) {
    return { problem: `must use https on port 443${allowLoopback ? ", or http on a loopback IP address" : ""}` };
  }
  return {
    // A host name may end with a dot. Names in certificates don't.
    hostname: bare.replace(/\.$/, ""),
    literal,
    port: url.port === "" ? (isTest ? 80 : 443) : Number(url.port),
    isTls: !isTest,
    path: `${url.pathname}${url.search}`,
    hostHeader: url.host,
  };
};

/** The registrable domain of a name, even if it isn't a valid host name. Without one, the name's last two labels. */
const domainOf = (name: string): string =>
  getDomain(name, { allowPrivateDomains: true, validateHostname: false }) ?? name.split(".").slice(-2).join(".");

/**
 * Identifies the owner of a host, by the Public Suffix List with its private part. Limits apply per owner, because the
 * owner of a domain can create any number of hosts, each with a slow name server. Hosts below a shared suffix, for
 * example `github.io`, belong to different owners.
 */
export const siteOf = (hostname: string): string => {
  const bare = withoutBrackets(hostname);
  return isIP(bare) ? addressPrefix(bare) : domainOf(bare);
};
