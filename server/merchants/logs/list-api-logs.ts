import { type ApiLogFilter, type ListedApiLog, listApiLogs } from "../../data/merchants/api-logs.ts";
import type { Deps } from "../../deps/deps.ts";

type Query = ApiLogFilter & { merchantId: string; startingAfter?: string | undefined; limit: number };

/** The logged API requests of a merchant's clients, newest first. */
export const listMerchantApiLogs = async (
  { db }: Pick<Deps, "db">,
  { startingAfter, limit, ...query }: Query,
): Promise<{ logs: ListedApiLog[]; hasMore: boolean }> => {
  const rows = await listApiLogs(db.sql, { ...query, startingAfter: startingAfter ?? null, limit });
  return { logs: rows.slice(0, limit), hasMore: rows.length > limit };
};
