import type { SearchParams } from "#components/portal/lists/list-address.ts";

/** The value of a query parameter; null unless the URL contains it exactly once. */
export const onlyOne = (query: SearchParams, name: string): string | null => {
  const value = query[name];
  return typeof value === "string" ? value : null;
};

/** The URL of a page, with the path to return to as a parameter. */
export const pageWithReturn = (path: string, returnTo: string): string =>
  `${path}?${new URLSearchParams({ return_to: returnTo })}`;
