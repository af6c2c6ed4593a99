const wellKnown = "/.well-known/oauth-authorization-server";
const maxCharacters = 500;

/**
 * The address of an issuer's metadata (RFC 8414 §3.1): the well-known name is inserted before the path.
 * @returns null if the issuer isn't a URL in its normal form, is longer than 500 characters, or has a query, a fragment
 *   or credentials (RFC 8414 §2).
 */
export const issuerMetadataUri = (issuer: string): string | null => {
  if (issuer.length > maxCharacters || !URL.canParse(issuer)) return null;
  const { href, origin, pathname, username, password } = new URL(issuer);
  const isNormal = (href === issuer || href === `${issuer}/`) && !/[?#]/.test(issuer);
  if (!isNormal || username !== "" || password !== "") return null;
  return `${origin}${wellKnown}${pathname.replace(/\/$/, "")}`;
};

/** Both spellings of an issuer, with and without a trailing slash, have the same metadata address. */
export const isSameIssuer = (left: string, right: string): boolean =>
  left.replace(/\/$/, "") === right.replace(/\/$/, "");
