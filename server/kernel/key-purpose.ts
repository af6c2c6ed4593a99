/** One signing key per purpose. Each signed object has its own `typ`, and every verifier requires it exactly. */
export const keyPurposes = ["access_token", "receipt", "credential", "directory"] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

/**
 * The published JWK Sets. Keys for the directory are in both sets: the directory's own, and the authorization server's,
 * which has the key of its client key list.
 */
const purposesBySet = { server: keyPurposes, directory: ["directory"] } as const satisfies Record<
  string,
  readonly KeyPurpose[]
>;
export type KeySetName = keyof typeof purposesBySet;
export const keySetNames = Object.keys(purposesBySet) as readonly KeySetName[];

export const isInSet = (set: KeySetName, purpose: string): boolean =>
  (purposesBySet[set] as readonly string[]).includes(purpose);
