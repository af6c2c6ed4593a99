/** Private members of RFC 7518 §6, and of post-quantum keys (kty AKP): a private key that was sent is no longer secret. */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

/** Whether a JWK has no private or symmetric part. */
export const isPublic = (key: object): boolean => !privateMembers.some((member) => Object.hasOwn(key, member));
