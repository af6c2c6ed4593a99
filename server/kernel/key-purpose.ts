/** The keys of the authorization server and the directory. */
const protocolPurposes = ["access_token", "receipt", "credential", "directory"] as const;

/** The directory and the authorization server use these keys only for federation statements (OpenID Federation 1.0). */
const federationPurposes = ["federation_anchor", "federation_server"] as const;

/** One signing key per purpose. Each signed object has its own `typ`, and every verifier requires it exactly. */
export const keyPurposes = [...protocolPurposes, ...federationPurposes] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

/** How long a statement of the federation is valid. A reader may cache its keys for this time. */
export const federationStatementSeconds = 24 * 3600;

export const isFederationPurpose = (purpose: string): boolean =>
  (federationPurposes as readonly string[]).includes(purpose);

/**
 * The published key sets. The directory's keys are also in the set `server`, because they sign the authorization
 * server's list of client keys and its software statements.
 */
const purposesBySet = {
  server: protocolPurposes,
  directory: ["directory"],
  federation_anchor: ["federation_anchor"],
  federation_server: ["federation_server"],
} as const satisfies Record<string, readonly KeyPurpose[]>;

export type KeySetName = keyof typeof purposesBySet;
export const keySetNames = Object.keys(purposesBySet) as readonly KeySetName[];

export const isInSet = (set: KeySetName, purpose: string): boolean =>
  (purposesBySet[set] as readonly string[]).includes(purpose);
