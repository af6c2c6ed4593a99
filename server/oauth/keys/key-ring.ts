import type { CryptoKey, JWK } from "jose";

/** One key per purpose; each signed thing has its own `typ`, and every verifier requires it exactly. */
export type KeyPurpose = "access_token" | "receipt" | "credential" | "directory";

export type SigningKey = { kid: string; alg: "ES256"; privateKey: CryptoKey };
export type VerificationKey = { kid: string; alg: "ES256"; purpose: KeyPurpose; publicKey: CryptoKey };

/** The service's own keys, held in memory and refreshed from the database. */
export type KeyRing = {
  /** The active key. @throws Error where none is loaded. */
  signingKey(purpose: KeyPurpose): SigningKey;
  /** @returns null for an unknown or revoked kid, or one of another purpose. */
  findVerificationKey(kid: string, purpose: KeyPurpose): VerificationKey | null;
  /** RFC 7517: public keys of every purpose, the next ones included. */
  jwks(): { keys: JWK[] };
  isLoaded(): boolean;
};
