import {
  findSoftwareStatements,
  findStatementMerchant,
  type ListedSoftwareStatement,
} from "../../data/directory/software-statements.ts";
import type { Deps } from "../../deps/deps.ts";

type Query = { merchantId: string; startingAfter?: string | undefined; limit: number };

/** Lists all statements of a merchant's participant, including ended ones, newest first. The JWTs aren't stored. */
export const listSoftwareStatements = async (
  { db }: Pick<Deps, "db">,
  { merchantId, startingAfter, limit }: Query,
): Promise<{ statements: ListedSoftwareStatement[]; hasMore: boolean }> => {
  const rows = await findSoftwareStatements(db.sql, { merchantId, startingAfter: startingAfter ?? null, limit });
  return { statements: rows.slice(0, limit), hasMore: rows.length > limit };
};

/** The merchant of a statement, for the access decision; null for an unknown statement. */
export const findSoftwareStatementMerchant = (
  { db }: Pick<Deps, "db">,
  { statementId }: { statementId: string },
): Promise<string | null> => findStatementMerchant(db.sql, statementId);
