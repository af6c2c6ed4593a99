const unreserved = /[\w.~-]/;

/** Decodes escaped unreserved characters, which are equivalent (RFC 3986 §6.2.2.2). */
export const decodeUnreserved = (path: string): string =>
  path.replace(/%[2-7][\da-f]/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return unreserved.test(character) ? character : octet;
  });

/**
 * Whether two URIs identify the same resource (RFC 8707 §2: an absolute URI without a fragment). They are compared as
 * URLs without a trailing slash, because every URL class adds a slash to a bare host (RFC 3986 §6.2.3).
 */
export const isSameResource = (left: string, right: string): boolean => {
  const name = resourceName(left);
  return name !== null && name === resourceName(right);
};

const resourceName = (text: string): string | null => {
  if (!URL.canParse(text) || text.includes("#")) return null;
  const url = new URL(text);
  return url.search === "" ? url.href.replace(/\/$/, "") : url.href;
};
