import { findOpenContradictions, type OpenContradiction } from "../../data/charges/contradictions.ts";
import type { Deps } from "../../deps/deps.ts";

/** More than an operator reads on one page. */
const most = 100;

/** Contradictions between a processor and our records, oldest first; only those of one charge if it is given. */
export const listContradictions = (
  { db }: Pick<Deps, "db">,
  { chargeId = null }: { chargeId?: string | null } = {},
): Promise<OpenContradiction[]> => findOpenContradictions(db.sql, { chargeId, limit: most });
