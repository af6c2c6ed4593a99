import { calculateJwkThumbprint, exportJWK, importJWK } from "jose";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import { importedKeyRules, type KeySource } from "../rules/clients/client-jwks.ts";

type Key = Readonly<Record<string, string>>;

/**
 * SHA-256 of each key's thumbprint (RFC 7638). Each key is imported and exported first, so that every encoding of a key
 * gives the same thumbprint.
 * @param keys from `checkClientKeys`.
 * @throws OAuthError invalid_client_metadata for an invalid key, such as a point that isn't on the curve.
 */
export const thumbprintHashes = (keys: readonly Key[], source: KeySource): Promise<string[]> =>
  Promise.all(
    keys.map(async (key) => {
      const found = await thumbprintOf(key).catch((cause: unknown) => ({ thumbprint: null, cause }));
      checkRules(importedKeyRules, { isKey: found.thumbprint !== null, source }, () => ({ cause: found.cause }));
      return sha256Base64url(assertPresent(found.thumbprint));
    }),
  );

/** @returns the thumbprints of usable keys (RFC 7638); unusable keys are omitted. */
export const thumbprintsOf = async (keys: readonly object[]): Promise<string[]> => {
  const found = await Promise.all(keys.map((key) => thumbprintOf({ ...key }).catch(() => ({ thumbprint: null }))));
  return found.flatMap(({ thumbprint }) => thumbprint ?? []);
};

const thumbprintOf = async (key: Key): Promise<{ thumbprint: string | null; cause?: unknown }> => {
  const imported = await importJWK({ ...key, ext: true }, key["alg"]);
  return { thumbprint: await calculateJwkThumbprint(await exportJWK(imported)) };
};
