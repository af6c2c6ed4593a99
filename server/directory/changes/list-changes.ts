import { findParticipantChanges, type ParticipantChangeRow } from "../../data/directory/participant-versions.ts";
import type { Deps } from "../../deps/deps.ts";

/**
 * Lists the changes of all participants, oldest first, from an index in the log. A page never changes later, except that
 * changes are added to the last page: indexes are assigned in the order of the commits.
 * @returns `next`, the index after the page.
 */
export const listChanges = async (
  { db }: { db: Pick<Deps["db"], "sql"> },
  { from, limit }: { from: number; limit: number },
): Promise<{ changes: ParticipantChangeRow[]; hasMore: boolean; next: number }> => {
  const rows = await findParticipantChanges(db.sql, { from, limit });
  const changes = rows.slice(0, limit);
  return { changes, hasMore: rows.length > limit, next: from + changes.length };
};
