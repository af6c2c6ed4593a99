import type { Deps } from "../deps/deps.ts";
import { searchAudit } from "./search-audit.ts";

/** What somebody looks back on at once; the audit log has all of it. */
const longest = 100;

export type PastAct = { at: Date; actorKind: string; actorId: string; action: string; data: unknown };

/** What was done to one thing since it was made, newest first, from the audit log. */
export const listPastActs = async (
  deps: Pick<Deps, "db" | "clock" | "businessClock">,
  thing: { subjectId: string; from: Date },
): Promise<PastAct[]> => {
  const { entries } = await searchAudit(deps, { ...thing, limit: longest });
  return entries.map(({ at, actorKind, actorId, action, data }) => ({ at, actorKind, actorId, action, data }));
};
