import { findBlockedKey } from "../../data/oauth/blocklist/blocked-keys.ts";
import { findKeyUsers } from "../../data/oauth/blocklist/key-users.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { getKeyThumbprint } from "./get-key-thumbprint.ts";

const maxUsers = 20;

/**
 * What blocking a key would affect: the clients that have the key now. Keys of DPoP proofs aren't registered, so such a
 * key can be in use although no client is listed.
 * @throws DomainError unprocessable if `key` is neither a thumbprint nor a public JWK.
 */
export const findKeyUse = async ({ db }: Pick<Deps, "db">, input: { key: string }) => {
  const thumbprint = await getKeyThumbprint(input);
  const [{ users, total }, blocked] = await Promise.all([
    findKeyUsers(db.sql, sha256Base64url(thumbprint), maxUsers),
    findBlockedKey(db.sql, thumbprint),
  ]);
  return { thumbprint, isBlocked: blocked !== null, users, total };
};
