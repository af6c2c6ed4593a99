import { type ApiLogRow, findApiLog } from "../../data/merchants/api-logs.ts";
import type { Deps } from "../../deps/deps.ts";

/** A logged API request by its request id, of any merchant. */
export const findMerchantApiLog = (
  { db }: Pick<Deps, "db">,
  { requestId }: { requestId: string },
): Promise<(ApiLogRow & { clientName: string | null }) | null> => findApiLog(db.sql, requestId);
