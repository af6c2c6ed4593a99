import { findOpenContradictions, type OpenContradiction } from "../../data/charges/contradictions.ts";
import type { Deps } from "../../deps/deps.ts";

/** More than any operator wants to see at once. */
const most = 100;

/** Where a processor contradicts the books, what waits longest first; of one charge where that is named. */
export const listContradictions = (
  { db }: Pick<Deps, "db">,
  { chargeId = null }: { chargeId?: string | null } = {},
): Promise<OpenContradiction[]> => findOpenContradictions(db.sql, { chargeId, limit: most });
