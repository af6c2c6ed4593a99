import type { KeyObject } from "node:crypto";
import type { JWK } from "jose";
import type { KeyPurpose, KeySetName } from "../kernel/key-purpose.ts";

/** KeyObjects: node:crypto signs with them directly, and jose accepts them. */
export type SigningKey = { kid: string; alg: "ES256"; privateKey: KeyObject };
export type VerificationKey = { kid: string; alg: "ES256"; purpose: KeyPurpose; publicKey: KeyObject };

/** The JWKS response: the same object until a key changes. */
export type PublishedJwks = { body: Uint8Array; etag: string; cacheControl: string };

/**
 * The service's own keys, kept in memory and compared with the database every second. If the comparison has failed for
 * 30 s, the ring neither signs nor verifies: those calls throw DomainError unavailable.
 */
export type KeyRing = {
  /** The active key. @throws Error if none is loaded. */
  signingKey(purpose: KeyPurpose): SigningKey;
  /** @returns null for an unknown or revoked kid, and for a key of another purpose. */
  findVerificationKey(kid: string, purpose: KeyPurpose): VerificationKey | null;
  /**
   * Finds a key that `findVerificationKey` doesn't know, because another node may just have created and promoted it.
   * Compares with the database once for all waiting callers, and at most a few times a second, no matter how many
   * unknown kids are sent.
   */
  awaitVerificationKey(kid: string, purpose: KeyPurpose): Promise<VerificationKey | null>;
  /** RFC 7517: the public keys of a set, including the next ones; by default the authorization server's set. */
  jwks(set?: KeySetName): { keys: JWK[] };
  publishedJwks(set?: KeySetName): PublishedJwks;
  /** Compares with the database now: keys committed before the call are in the ring after it. */
  refresh(): Promise<void>;
  isLoaded(): boolean;
};
