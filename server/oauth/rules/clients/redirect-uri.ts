import { checkRules, defineRules, findBrokenRule } from "../../../kernel/rule.ts";

const isLoopbackIp = (hostname: string): boolean => hostname === "127.0.0.1" || hostname === "[::1]";

/** RFC 3986 §2. */
const uriCharacters = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

/** The host as written: letters, digits, dots, hyphens and underscores, or an IPv6 address. */
const authority = /^https?:\/\/([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?(?=[/?#]|$)/i;

/** Parameters of the response (RFC 6749 §4.1.2, RFC 9207 §2). Duplicates would be ambiguous. */
const ofResponse = ["code", "state", "iss", "error", "error_description"];

/** `url`: null if the text isn't a URL. */
type Read = { text: string; url: URL | null; allowsLocalhost: boolean };

/** @param allowsLocalhost true in the sandbox, for apps on developers' machines. */
export const readRedirectUri = (text: string, allowsLocalhost = false): Read => ({
  text,
  url: URL.canParse(text) ? new URL(text) : null,
  allowsLocalhost,
});

const isHttpsOrLoopback = (url: URL | null): boolean =>
  url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackIp(url.hostname));

export const redirectUriRules = defineRules<Read>(
  "redirect URI, at registration",
  {
    places: ["registerClient", "replaceClientRegistration"],
    error: "invalid_redirect_uri",
    names: "redirect_uris",
  },
  [
    {
      name: "redirect-uri-length",
      source: "docs/spec/oauth.md, Client registration",
      problem: "a URI is longer than 2000 characters",
      holds: ({ text }) => text.length <= 2000,
    },
    {
      // The raw text is compared and displayed, so it must not rely on a parser's corrections.
      name: "redirect-uri-absolute",
      source: "RFC 6749 §3.1.2",
      problem: "a URI is not an absolute URI",
      holds: ({ text, url }) => url !== null && uriCharacters.test(text),
    },
    {
      name: "redirect-uri-no-fragment",
      source: "RFC 6749 §3.1.2",
      problem: "a URI has a fragment",
      holds: ({ text }) => !text.includes("#"),
    },
    {
      name: "redirect-uri-no-credentials",
      source: "RFC 3986 §7.5",
      problem: "a URI has credentials",
      holds: ({ url }) => url?.username === "" && url.password === "",
    },
    {
      name: "redirect-uri-no-response",
      source: "RFC 6749 §4.1.2",
      problem: "a URI must not have a response parameter in its query",
      holds: ({ url }) => !ofResponse.some((name) => url?.searchParams.has(name)),
    },
    {
      name: "redirect-uri-scheme",
      source: "FAPI 2.0 §5.3.2.2",
      problem: "a URI must be https, or http on a loopback IP address: use http://127.0.0.1, not localhost",
      holds: ({ url, allowsLocalhost }) => allowsLocalhost || isHttpsOrLoopback(url),
    },
    {
      name: "redirect-uri-scheme-in-sandbox",
      source: "docs/spec/oauth.md, Client registration",
      problem: "a URI must be https, or http on 127.0.0.1, [::1] or localhost",
      holds: ({ url }) => isHttpsOrLoopback(url) || (url?.protocol === "http:" && url.hostname === "localhost"),
    },
    {
      name: "redirect-uri-host",
      source: "RFC 3986 §3.2.2",
      problem: "a URI must have its host in normalized form",
      holds: ({ text, url }) => authority.exec(text)?.[1]?.toLowerCase() === url?.hostname,
    },
  ],
);

/** @throws OAuthError invalid_redirect_uri (RFC 6749 §3.1.2, RFC 8252 §7.3, FAPI 2.0 §5.3.2.2). */
export const checkRedirectUri = (text: string, { allowsLocalhost }: { allowsLocalhost: boolean }): void =>
  checkRules(redirectUriRules, readRedirectUri(text, allowsLocalhost));

/** The reason why a redirect URI can't be registered in production, or null. */
export const redirectUriProblem = (text: string): string | null =>
  findBrokenRule(redirectUriRules, readRedirectUri(text))?.problem ?? null;

/**
 * Simple string comparison (RFC 3986 §6.2.1); the port of a loopback IP is the one exception (RFC 8252 §7.3). The port
 * of localhost is compared, because that name may resolve to another machine (RFC 8252 §8.3).
 */
export const redirectUriMatches = (registered: readonly string[], requested: string): boolean => {
  if (registered.includes(requested)) return true;
  if (redirectUriProblem(requested) !== null) return false;
  const url = new URL(requested);
  if (url.protocol !== "http:" || !isLoopbackIp(url.hostname)) return false;
  return registered.some((candidate) => withoutLoopbackPort(candidate) === withoutLoopbackPort(requested));
};

/** Removes the port of a loopback IP; other texts stay unchanged. */
const withoutLoopbackPort = (text: string): string =>
  text.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+(?=[/?]|$)/, "$1");

/** Adds query parameters and keeps the rest of the registered text (RFC 6749 §3.1.2). */
export const withParameters = (uri: string, parameters: Readonly<Record<string, string>>): string => {
  const separator = uri.includes("?") ? (/[?&]$/.test(uri) ? "" : "&") : "?";
  return `${uri}${separator}${new URLSearchParams(parameters)}`;
};
