const fallback = "/wallet";

/** Whether a sign-in leads to nothing in particular: then to where the account is at home. */
export const leadsHome = (returnTo: string): boolean => returnTo === fallback;

/**
 * Where a sign-in leads: a path of this origin and nothing else, so that no link to our form can lead away from us
 * (RFC 9700 §4.11). Anything doubtful becomes the wallet.
 */
export const safeReturnTo = (text: string | null | undefined): string => {
  if (!text || text.length > 2_000 || !/^\/[^/\\]/.test(text) || /[\\\p{Cc}]/u.test(text))
    return text === "/" ? "/" : fallback;
  const origin = "https://own.invalid";
  const url = URL.canParse(text, origin) ? new URL(text, origin) : null;
  if (url?.origin !== origin) return fallback;
  // Dot segments are gone by now: `/.//host` has become `//host`, which a browser reads as another origin.
  return url.pathname.startsWith("//") ? fallback : `${url.pathname}${url.search}${url.hash}`;
};
