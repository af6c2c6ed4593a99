/**
 * Whether a page of this origin sent the request. Requests from other origins are refused, because they can carry the
 * payer's cookie. Browsers that don't send Sec-Fetch-Site send Origin. A request with neither header is refused.
 */
export const isSameOrigin = (
  headers: { secFetchSite: string | null; origin: string | null },
  ownOrigins: readonly string[],
): boolean => {
  if (headers.secFetchSite !== null) return headers.secFetchSite === "same-origin";
  return headers.origin !== null && ownOrigins.includes(headers.origin);
};
