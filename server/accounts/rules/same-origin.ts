/**
 * Whether a page of ours sent this request, so that another site can't act in the payer's name with their cookie.
 * Sec-Fetch-Site is the browser's own word; Origin serves browsers that don't send it. With neither, it isn't ours.
 */
export const isSameOrigin = (
  headers: { secFetchSite: string | null; origin: string | null },
  ownOrigins: readonly string[],
): boolean => {
  if (headers.secFetchSite !== null) return headers.secFetchSite === "same-origin";
  return headers.origin !== null && ownOrigins.includes(headers.origin);
};
