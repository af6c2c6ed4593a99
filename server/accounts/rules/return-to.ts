const fallback = "/wallet";

/** Whether a sign-in has no specific destination. It then leads to the account's own portal. */
export const isDefaultReturn = (returnTo: string): boolean => returnTo === fallback;

/**
 * The path after a sign-in. Only paths of this origin are allowed, so that the form isn't an open redirector (RFC 9700
 * §4.11). For any other text, the result is the path of the wallet.
 */
export const safeReturnTo = (text: string | null | undefined): string => {
  if (!text || text.length > 2_000 || !/^\/[^/\\]/.test(text) || /[\\\p{Cc}]/u.test(text))
    return text === "/" ? "/" : fallback;
  const origin = "https://own.invalid";
  const url = URL.canParse(text, origin) ? new URL(text, origin) : null;
  if (url?.origin !== origin) return fallback;
  // Dot segments are resolved here: `/.//host` is now `//host`, which browsers treat as another origin.
  return url.pathname.startsWith("//") ? fallback : `${url.pathname}${url.search}${url.hash}`;
};
