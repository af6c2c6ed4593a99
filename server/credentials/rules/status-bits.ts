import { deflateSync, gzipSync } from "node:zlib";

import { statusListLength } from "../../kernel/status-list-length.ts";

/** IETF Token Status List §7.1. */
export const tokenStatus = { valid: 0, invalid: 1, suspended: 2 } as const;
const bitsPerToken = 2;

/** Indexes whose bit is set. If an index is in both sets, revoked takes precedence. */
export type FlaggedIndexes = { revoked: readonly number[]; suspended: readonly number[] };

/** W3C order: index 0 is the left-most (most significant) bit of the first byte (§2.2). */
export const toBitstring = (indexes: Iterable<number>, length: number = statusListLength): Uint8Array => {
  const bytes = new Uint8Array(length / 8);
  for (const index of indexes) {
    assertIndex(index, length);
    bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (0x80 >> (index & 7));
  }
  return bytes;
};

/** IETF order: two bits per entry, entry 0 in the least significant bits of the first byte (§4.1). */
export const toTokenStatuses = (flagged: FlaggedIndexes, length: number = statusListLength): Uint8Array => {
  const bytes = new Uint8Array((length * bitsPerToken) / 8);
  const set = (index: number, status: number): void => {
    assertIndex(index, length);
    const shift = (index & 3) * bitsPerToken;
    bytes[index >> 2] = ((bytes[index >> 2] ?? 0) & ~(0b11 << shift)) | (status << shift);
  };
  for (const index of flagged.suspended) set(index, tokenStatus.suspended);
  for (const index of flagged.revoked) set(index, tokenStatus.invalid);
  return bytes;
};

/** @throws RangeError, because ignoring the index would silently lose a revocation. */
const assertIndex = (index: number, length: number): void => {
  if (!Number.isInteger(index) || index < 0 || index >= length) throw new RangeError(`invalid status index ${index}`);
};

/** Multibase `u`: unpadded base64url of the GZIP of the bits (W3C §2.2). */
export const toEncodedList = (bits: Uint8Array): string => `u${gzipSync(bits).toString("base64url")}`;

/** `lst`: unpadded base64url of the ZLIB (RFC 1950) of the bits, at the highest level (IETF §4.1, §4.2). */
export const toLst = (bits: Uint8Array): string => deflateSync(bits, { level: 9 }).toString("base64url");
