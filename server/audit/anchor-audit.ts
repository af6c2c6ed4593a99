import { findAuditChains } from "../data/audit/audit-chain.ts";
import type { Deps } from "../deps/deps.ts";
import { signAuditHead } from "./audit-head.ts";

/** A signed head of now. Where it is kept is its worth: elsewhere than the database that it speaks of. */
export const anchorAudit = async (deps: Pick<Deps, "db" | "clock" | "config" | "keys">): Promise<string> =>
  signAuditHead(deps, await findAuditChains(deps.db.sql));
