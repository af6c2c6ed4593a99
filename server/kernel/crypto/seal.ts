import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * Encrypts secrets at rest: AES-256-GCM under a key that HKDF-SHA-256 derives from the master key for one purpose.
 * `context` (for example `signing_key:kid`) is authenticated, so a sealed value that is moved to another row doesn't
 * open.
 */
export type Sealer = {
  seal(plaintext: string, context: string): string;
  /** @throws Error if the text was altered, or sealed with another key, purpose or context. */
  open(sealed: string, context: string): string;
};

/** Seals bytes in the same way: 12 bytes nonce, the ciphertext, 16 bytes tag. */
export type ByteSealer = {
  seal(plaintext: Uint8Array, context: string): Buffer;
  /** @throws Error if the bytes were altered, or sealed with another key, purpose or context. */
  open(sealed: Uint8Array, context: string): Buffer;
};

/** @param masterKey 32 bytes. */
export const createByteSealer = (masterKey: Uint8Array, purpose: string): ByteSealer => {
  const key = Buffer.from(hkdfSync("sha256", masterKey, "paygrant", `seal:${purpose}`, 32));
  return {
    seal(plaintext, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, context) {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-16));
      return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
    },
  };
};

const version = "v1";

/** @param masterKey 32 bytes. */
export const createSealer = (masterKey: Uint8Array, purpose: string): Sealer => {
  const bytes = createByteSealer(masterKey, purpose);
  return {
    seal(plaintext, context) {
      const sealed = bytes.seal(Buffer.from(plaintext), context);
      return [version, sealed.subarray(0, 12).toString("base64url"), sealed.subarray(12).toString("base64url")].join(
        ".",
      );
    },
    open(sealed, context) {
      const [tag, nonce, body] = sealed.split(".");
      if (tag !== version || nonce === undefined || body === undefined) throw new Error("not a sealed value");
      return bytes
        .open(Buffer.concat([Buffer.from(nonce, "base64url"), Buffer.from(body, "base64url")]), context)
        .toString();
    },
  };
};

/** Identifies a master key without revealing it: the first 16 bytes of an HKDF output, base64url. */
export const masterKeyFingerprint = (masterKey: Uint8Array): string =>
  Buffer.from(hkdfSync("sha256", masterKey, "paygrant", "fingerprint", 16)).toString("base64url");
