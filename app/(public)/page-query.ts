import type { SearchParams } from "#components/portal/lists/list-address.ts";

/** A parameter that the address has exactly once. */
export const onlyOne = (query: SearchParams, name: string): string | null => {
  const value = query[name];
  return typeof value === "string" ? value : null;
};

/** The address of a page with the path to return to. */
export const pageWithReturn = (path: string, returnTo: string): string =>
  `${path}?${new URLSearchParams({ return_to: returnTo })}`;
