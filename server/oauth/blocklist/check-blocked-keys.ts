import type { Sql } from "../../data/client.ts";
import { findBlockedHashes, holdBlocklist } from "../../data/oauth/blocklist/blocked-keys.ts";
import { checkRules } from "../../kernel/rule.ts";
import { blockedKeyRules, type KeySource } from "../rules/clients/client-jwks.ts";

/**
 * Call this in the transaction that stores a client's keys: no key is blocked between this check and the commit.
 * @param keys.hashes SHA-256 hashes of the thumbprints of all keys
 * @throws OAuthError invalid_client_metadata if one of them is blocked.
 */
export const checkBlockedKeys = async (
  sql: Sql,
  { hashes, source }: { hashes: readonly string[]; source: KeySource },
): Promise<void> => {
  await holdBlocklist(sql);
  checkRules(blockedKeyRules, { isBlocked: (await findBlockedHashes(sql, hashes)).length > 0, source });
};
