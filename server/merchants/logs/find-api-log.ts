import { type FoundApiLog, findApiLog } from "../../data/merchants/api-logs.ts";
import type { Deps } from "../../deps/deps.ts";

/** Finds a logged API request of any merchant by its request id. */
export const findMerchantApiLog = (
  { db }: Pick<Deps, "db">,
  { requestId }: { requestId: string },
): Promise<FoundApiLog | null> => findApiLog(db.sql, requestId);
