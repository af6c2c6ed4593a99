import type { KeyObject } from "node:crypto";
import type { JWK } from "jose";
import type { KeyPurpose } from "../kernel/key-purpose.ts";

/** KeyObjects: node:crypto signs with them at once, and jose takes them too. */
export type SigningKey = { kid: string; alg: "ES256"; privateKey: KeyObject };
export type VerificationKey = { kid: string; alg: "ES256"; purpose: KeyPurpose; publicKey: KeyObject };

/** The JWKS as it is served: the same object until a key changes. */
export type PublishedJwks = { body: Uint8Array; etag: string; cacheControl: string };

/**
 * The service's own keys, held in memory and compared with the database every second. A ring that could not be compared
 * for 30 s neither signs nor verifies: those calls throw DomainError unavailable.
 */
export type KeyRing = {
  /** The active key. @throws Error where none is loaded. */
  signingKey(purpose: KeyPurpose): SigningKey;
  /** @returns null for an unknown or revoked kid, or one of another purpose. */
  findVerificationKey(kid: string, purpose: KeyPurpose): VerificationKey | null;
  /**
   * For a kid that `findVerificationKey` doesn't know: another node may have made and promoted it just now. Compares with
   * the database once for all who ask, a few times a second at the most, whatever kids are sent.
   */
  awaitVerificationKey(kid: string, purpose: KeyPurpose): Promise<VerificationKey | null>;
  /** RFC 7517: public keys of every purpose, the next ones included. */
  jwks(): { keys: JWK[] };
  publishedJwks(): PublishedJwks;
  /** Compares with the database now: what was committed before the call is in the ring after it. */
  refresh(): Promise<void>;
  isLoaded(): boolean;
};
