/**
 * Parts of the site with their own `not-found.tsx`. Each has a page `not-found` with the same content, for
 * not-found-pages.ts. A part comes before the part that contains it.
 */
export const notFoundParts: readonly string[] = [
  "/wallet/activity",
  "/wallet/approvals",
  "/wallet/mandates",
  "/wallet/upcoming",
  "/wallet",
  "/merchant",
  "/operator",
  "/directory",
  "/status",
];

/** Names the part whose page `not-found` is rendered at the URL of the request; `/`: the page of the whole site. */
export const notFoundHeader = "x-not-found-part";

/** For `beforeFiles` of Next's configuration: Next renders the page as part of the requested URL. */
export const notFoundRewrites = () =>
  ["", ...notFoundParts].map((part) => ({
    source: "/:path*",
    has: [{ type: "header" as const, key: notFoundHeader, value: part === "" ? "/" : part }],
    destination: `${part}/not-found`,
  }));
