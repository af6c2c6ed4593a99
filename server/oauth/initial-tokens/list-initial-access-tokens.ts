import {
  findInitialAccessTokenById,
  findInitialAccessTokens,
  type ListedInitialAccessToken,
} from "../../data/directory/initial-access-tokens.ts";
import type { Deps } from "../../deps/deps.ts";

type Question = {
  /** a merchant; null: those that agents register with */
  ownerId: string | null;
  startingAfter?: string | undefined;
  limit: number;
};

/** Every one that was ever made, newest first; of the tokens themselves nothing is kept that could be told. */
export const listInitialAccessTokens = async (
  { db }: Pick<Deps, "db">,
  { ownerId, startingAfter, limit }: Question,
): Promise<{ tokens: ListedInitialAccessToken[]; hasMore: boolean }> => {
  const rows = await findInitialAccessTokens(db.sql, { ownerId, startingAfter: startingAfter ?? null, limit });
  return { tokens: rows.slice(0, limit), hasMore: rows.length > limit };
};

/** For the one decision about who may do what: whose it is; null for an agent's, and where there is none. */
export const findInitialAccessTokenMerchant = async (
  { db }: Pick<Deps, "db">,
  input: { tokenId: string },
): Promise<string | null> => (await findInitialAccessTokenById(db.sql, input.tokenId))?.merchantId ?? null;
