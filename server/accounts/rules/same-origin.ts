/**
 * Whether a page of this site sent the request. Requests of other sites are refused, because they would carry the
 * payer's cookie. Browsers that don't send Sec-Fetch-Site send Origin. A request without both headers is refused.
 */
export const isSameOrigin = (
  headers: { secFetchSite: string | null; origin: string | null },
  ownOrigins: readonly string[],
): boolean => {
  if (headers.secFetchSite !== null) return headers.secFetchSite === "same-origin";
  return headers.origin !== null && ownOrigins.includes(headers.origin);
};
