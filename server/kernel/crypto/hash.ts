import { createHash, createHmac, hash, timingSafeEqual } from "node:crypto";

/** @returns base64url SHA-256 of the UTF-8 text, 43 characters. */
export const sha256Base64url = (text: string | Uint8Array): string => hash("sha256", text, "base64url");

/** Whether a text can be a SHA-256 digest: the two unused bits of the last of 43 characters are 0 (RFC 4648 §3.5). */
export const isSha256Base64url = (text: string): boolean => /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text);

/** Compares texts of any length in constant time, by their digests. */
export const secretsEqual = (left: string, right: string): boolean =>
  timingSafeEqual(createHash("sha256").update(left).digest(), createHash("sha256").update(right).digest());

/** HMAC-SHA-256 with a label, base64url, 43 characters. Values under different labels are independent. */
export const labelledMac = (key: Uint8Array, label: string, text: string): string =>
  createHmac("sha256", key).update(`${label}\0${text}`).digest("base64url");
