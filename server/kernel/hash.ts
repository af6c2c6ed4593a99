import { createHash, timingSafeEqual } from "node:crypto";

/** @returns base64url SHA-256 of the UTF-8 text, 43 characters. */
export const sha256Base64url = (text: string | Uint8Array): string =>
  createHash("sha256").update(text).digest("base64url");

export const sha256Hex = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");

/** Constant-time for texts of any length: compares their digests. */
export const secretsEqual = (left: string, right: string): boolean =>
  timingSafeEqual(createHash("sha256").update(left).digest(), createHash("sha256").update(right).digest());
