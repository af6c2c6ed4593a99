import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * Encrypts secrets at rest: AES-256-GCM under a key that HKDF-SHA-256 derives from the master key for one purpose.
 * `context` (for example `signing_key:kid`) is authenticated, so that a sealed value moved to another row won't open.
 */
export type Sealer = {
  seal(plaintext: string, context: string): string;
  /** @throws Error where the text was altered, or sealed under another key, purpose or context. */
  open(sealed: string, context: string): string;
};

const version = "v1";

/** @param masterKey 32 bytes. */
export const createSealer = (masterKey: Uint8Array, purpose: string): Sealer => {
  const key = Buffer.from(hkdfSync("sha256", masterKey, "paygrant", `seal:${purpose}`, 32));
  return {
    seal(plaintext, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
      return [
        version,
        nonce.toString("base64url"),
        Buffer.concat([body, cipher.getAuthTag()]).toString("base64url"),
      ].join(".");
    },
    open(sealed, context) {
      const [tag, nonce, body] = sealed.split(".");
      if (tag !== version || nonce === undefined || body === undefined) throw new Error("not a sealed value");
      const bytes = Buffer.from(body, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8");
    },
  };
};

/** Names a master key without telling it: the first 16 bytes of an HKDF output, base64url. */
export const masterKeyFingerprint = (masterKey: Uint8Array): string =>
  Buffer.from(hkdfSync("sha256", masterKey, "paygrant", "fingerprint", 16)).toString("base64url");
