import { labelledMac } from "../../kernel/crypto/hash.ts";

export const recoveryCodeCount = 10;
const codeLength = 12;

/** Crockford's Base32: no I, L, O or U, so that a code can be read from paper. 12 characters have 60 bits. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** @param bytes 12 random bytes. 256 is a multiple of 32, so each character is equally likely. */
export const formatRecoveryCode = (bytes: Uint8Array): string => {
  const characters = Array.from(bytes.subarray(0, codeLength), (byte) => alphabet.charAt(byte % alphabet.length));
  return [0, 4, 8].map((start) => characters.slice(start, start + 4).join("")).join("-");
};

/** Normalizes a typed code: upper and lower case, spaces and hyphens don't matter. O is read as 0, and I and L as 1. */
export const readRecoveryCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[\s‐-―-]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");

/** Codes are short, so they are stored as a MAC: without the master key, a database dump doesn't reveal them. */
export const recoveryCodeHash = (masterKey: Uint8Array, accountId: string, typed: string): string =>
  labelledMac(masterKey, "recovery_code", `${accountId}|${readRecoveryCode(typed)}`);
