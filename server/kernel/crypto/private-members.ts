/** The private members of JWKs (RFC 7518 §6), including those of post-quantum keys (kty AKP). */
export const privateMembers: readonly string[] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

/** Whether a JWK has no private or symmetric part. */
export const isPublic = (key: object): boolean => !privateMembers.some((member) => Object.hasOwn(key, member));
