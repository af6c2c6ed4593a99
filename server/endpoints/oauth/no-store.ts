/** RFC 6749 §5.1: nothing that holds tokens or credentials is kept by a cache. */
export const noStore = { "cache-control": "no-store", pragma: "no-cache" } as const;
