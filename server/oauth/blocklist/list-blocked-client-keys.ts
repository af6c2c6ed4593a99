import { type ListedKey, listBlockedKeys } from "../../data/oauth/blocklist/blocked-keys.ts";
import type { Deps } from "../../deps/deps.ts";

type Input = { search?: string | undefined; startingAfter?: string | undefined; limit: number };

/** A page of the blocked keys, newest first. */
export const listBlockedClientKeys = async (
  { db }: Pick<Deps, "db">,
  { search, startingAfter, limit }: Input,
): Promise<{ keys: ListedKey[]; hasMore: boolean }> => {
  const query = { search: search?.trim() || null, startingAfter: startingAfter ?? null, limit };
  const rows = await listBlockedKeys(db.sql, query);
  return { keys: rows.slice(0, limit), hasMore: rows.length > limit };
};
