import {
  findInitialAccessTokenById,
  findInitialAccessTokens,
  type ListedInitialAccessToken,
} from "../../data/directory/initial-access-tokens.ts";
import type { Deps } from "../../deps/deps.ts";

type Query = {
  /** a merchant; null: tokens for agents */
  ownerId: string | null;
  /** an id, or a part of a name; absent: all tokens */
  search?: string | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

/** Lists all tokens, including ended ones, newest first. The secrets aren't stored. */
export const listInitialAccessTokens = async (
  { db }: Pick<Deps, "db">,
  { ownerId, search, startingAfter, limit }: Query,
): Promise<{ tokens: ListedInitialAccessToken[]; hasMore: boolean }> => {
  const cursor = { startingAfter: startingAfter ?? null, limit };
  const rows = await findInitialAccessTokens(db.sql, { ownerId, search: search || null, ...cursor });
  return { tokens: rows.slice(0, limit), hasMore: rows.length > limit };
};

/** The owner, for authorization; null for an agent's token and for an unknown one. */
export const findInitialAccessTokenMerchant = async (
  { db }: Pick<Deps, "db">,
  input: { tokenId: string },
): Promise<string | null> => (await findInitialAccessTokenById(db.sql, input.tokenId))?.merchantId ?? null;
