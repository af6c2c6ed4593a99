/** One signing key per purpose. Each signed object has its own `typ`, and every verifier requires it exactly. */
export const keyPurposes = ["access_token", "receipt", "credential", "directory"] as const;
export type KeyPurpose = (typeof keyPurposes)[number];
