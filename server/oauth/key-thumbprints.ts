import { calculateJwkThumbprint, exportJWK, importJWK } from "jose";
import { OAuthError } from "../kernel/errors.ts";
import { sha256Base64url } from "../kernel/hash.ts";
import type { KeySource } from "./rules/client-jwks.ts";

/**
 * SHA-256 of each key's thumbprint (RFC 7638), from the imported and exported key, so that encodings don't matter.
 * @param keys as `checkClientKeys` gives them.
 * @throws OAuthError invalid_client_metadata for bytes that are no key, such as a point off the curve.
 */
export const thumbprintHashes = (keys: readonly Record<string, string>[], source: KeySource): Promise<string[]> =>
  Promise.all(
    keys.map(async (key) => {
      try {
        const imported = await importJWK({ ...key, ext: true }, key["alg"]);
        return sha256Base64url(await calculateJwkThumbprint(await exportJWK(imported)));
      } catch (cause) {
        throw new OAuthError("invalid_client_metadata", `${source}: holds a key that can't be used`, { cause });
      }
    }),
  );
