const isLoopbackIp = (hostname: string): boolean => hostname === "127.0.0.1" || hostname === "[::1]";

/** RFC 3986 §2. */
const uriCharacters = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/**
 * The host as it stands in the text. A URL's may hold `;` or `,` too, but it is written into the policy of the consent
 * page, where these separate directives.
 */
const authority = /^https?:\/\/([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?(?=[/?#]|$)/i;

/** What the answer adds (RFC 6749 §4.1.2, RFC 9207 §2): twice in one address, it could be read either way. */
const ofResponse = ["code", "state", "iss", "error", "error_description"];

/** Why a redirect URI can't be registered, or null (RFC 6749 §3.1.2, RFC 8252 §7.3, FAPI 2.0 §5.3.2.2). */
export const redirectUriProblem = (text: string): string | null => {
  if (text.length > 2000) return "longer than 2000 characters";
  // Raw text is what will be compared and shown: nothing that a parser would trim, repair or read in its own way.
  if (!uriCharacters.test(text) || !URL.canParse(text)) return "not an absolute URI";
  if (text.includes("#")) return "has a fragment";
  const url = new URL(text);
  if (url.username || url.password) return "has credentials";
  if (ofResponse.some((name) => url.searchParams.has(name))) return "has a parameter of the response in its query";
  const isLoopback = url.protocol === "http:" && isLoopbackIp(url.hostname);
  if (url.protocol !== "https:" && !isLoopback) return "neither https nor http on a loopback IP address";
  const host = authority.exec(text)?.[1]?.toLowerCase();
  return host === url.hostname ? null : "not an absolute URI";
};

/** Simple string comparison (RFC 3986 §6.2.1); the port of a loopback IP is the one exception (RFC 8252 §7.3). */
export const redirectUriMatches = (registered: readonly string[], requested: string): boolean => {
  if (registered.includes(requested)) return true;
  if (redirectUriProblem(requested) !== null) return false;
  const url = new URL(requested);
  if (url.protocol !== "http:" || !isLoopbackIp(url.hostname)) return false;
  return registered.some((candidate) => withoutLoopbackPort(candidate) === withoutLoopbackPort(requested));
};

/** The raw text without `:port` behind a loopback IP; any other text as it is. */
const withoutLoopbackPort = (text: string): string =>
  text.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+(?=[/?]|$)/, "$1");

/** Adds to the query of the registered text and leaves the rest of it as it is (RFC 6749 §3.1.2). */
export const withParameters = (uri: string, parameters: Readonly<Record<string, string>>): string => {
  const separator = uri.includes("?") ? (/[?&]$/.test(uri) ? "" : "&") : "?";
  return `${uri}${separator}${new URLSearchParams(parameters)}`;
};
