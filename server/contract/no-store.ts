/** RFC 9111 §5.2.2.5: what one caller may see isn't kept for another. */
export const noStore = { "cache-control": "no-store" } as const;
