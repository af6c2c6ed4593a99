import { sha256Base64url } from "../crypto/hash.ts";
import { newSecret } from "../ids.ts";

/**
 * Secrets and ids that contain a time. If a table is partitioned by this time, the key tells which partition its row is
 * in. So a lookup reads one partition, and keys need to be unique only within their partition
 * (docs/adr/020-time-in-secrets-and-ids.md).
 */
const stampLength = 9;
const stamped = /^(?:[A-Za-z0-9_-]{43}|[a-z]+_[A-Za-z0-9]{24})([0-9a-z]{9})$/;

/** Milliseconds in base 36, up to the year 5188. */
const stamp = (instant: Date): string => instant.getTime().toString(36).padStart(stampLength, "0");

/** A bearer secret (256 random bits) that contains its expiry: 52 characters of base64url. */
export const newSecretUntil = (expiresAt: Date): string => newSecret() + stamp(expiresAt);

/** The stored form of a secret: its SHA-256, followed by the time that the secret contains, if any. */
export const hashDated = (secret: string): string =>
  sha256Base64url(secret) + (stamped.test(secret) ? secret.slice(-stampLength) : "");

/** @param id from `newId`. @returns the id, which then contains the time. */
export const dateId = (id: string, instant: Date): string => id + stamp(instant);

/** @returns the time that a secret, a hash or an id contains; null if it has none. */
export const instantOf = (key: string): Date | null => {
  const [, text] = stamped.exec(key) ?? [];
  return text === undefined ? null : new Date(Number.parseInt(text, 36));
};
