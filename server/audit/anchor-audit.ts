import { findAuditChains } from "../data/audit/audit-chain.ts";
import type { Deps } from "../deps/deps.ts";
import { signAuditHead } from "./audit-head.ts";

/**
 * Returns a signed head of the current chains. It is useful only if it is stored outside the database that it
 * describes.
 */
export const anchorAudit = async (deps: Pick<Deps, "db" | "clock" | "config" | "keys">): Promise<string> =>
  signAuditHead(deps, await findAuditChains(deps.db.sql));
