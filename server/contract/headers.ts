/**
 * The caller's IP address. The gateway sets it from the socket and drops a header of this name that the caller sent.
 */
export const addressHeader = "x-paygrant-client-address";

/** Path and query of a page. The gateway sets it, so that a layout knows which page it renders. */
export const pageAddressHeader = "x-paygrant-page-address";

/** RFC 9111 §5.2.2.5: a response to one caller isn't cached for another. */
export const noStore = { "cache-control": "no-store" } as const;

/** RFC 6749 §5.1: responses with tokens or credentials aren't cached, not even by HTTP/1.0 caches. */
export const noStoreTokens = { "cache-control": "no-store", pragma: "no-cache" } as const;

/** CORS (Fetch §3.3.2): web pages of any origin may read the response. */
export const anyOrigin = { "access-control-allow-origin": "*" } as const;

/** CORS (Fetch §3.3.3): the response to a preflight request. @param allow the path's methods, separated by commas */
export const preflightHeaders = (allow: string) =>
  ({
    "access-control-allow-methods": allow,
    // The wildcard doesn't include Authorization.
    "access-control-allow-headers": "*, authorization",
    "access-control-max-age": "600",
  }) as const;
