import { findOpenContradictions, type OpenContradiction } from "../../data/charges/contradictions.ts";
import type { Deps } from "../../deps/deps.ts";

/** More than any operator wants to see at once. */
const most = 100;

/** Contradictions between a processor and the books, oldest first; of one charge if it is named. */
export const listContradictions = (
  { db }: Pick<Deps, "db">,
  { chargeId = null }: { chargeId?: string | null } = {},
): Promise<OpenContradiction[]> => findOpenContradictions(db.sql, { chargeId, limit: most });
