import type { Deps } from "../deps/deps.ts";
import { searchAudit } from "./search-audit.ts";

/** Maximum number of past actions in one view. The audit log has all of them. */
const longest = 100;

export type PastAct = { at: Date; actorKind: string; actorId: string; action: string; data: unknown };

/** Actions on one object since it was created, newest first, from the audit log. */
export const listPastActs = async (
  deps: Pick<Deps, "db" | "clock" | "businessClock">,
  thing: { subjectId: string; from: Date },
): Promise<PastAct[]> => {
  const { entries } = await searchAudit(deps, { ...thing, limit: longest });
  return entries.map(({ at, actorKind, actorId, action, data }) => ({ at, actorKind, actorId, action, data }));
};
