import { findOpenContradictions, type OpenContradiction } from "../../data/charges/contradictions.ts";
import type { Deps } from "../../deps/deps.ts";

/** More rows than an operator needs on one page. */
const maxListed = 100;

/**
 * Open contradictions between a processor and our records, oldest first. With `chargeId`, only those of this charge.
 */
export const listContradictions = (
  { db }: Pick<Deps, "db">,
  { chargeId = null }: { chargeId?: string | null } = {},
): Promise<OpenContradiction[]> => findOpenContradictions(db.sql, { chargeId, limit: maxListed });
