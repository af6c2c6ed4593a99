import { type ChangePage, findChangePage } from "../../data/directory/log/change-pages.ts";
import { findLogSize } from "../../data/directory/log/log.ts";
import type { Deps } from "../../deps/deps.ts";
import { fieldRefusal } from "../../kernel/errors.ts";
import { type ChangeFormat, fullPage, pageLength, renderingOf, renderPage } from "./change-page.ts";
import { listChanges } from "./list-changes.ts";

/**
 * A page of the changes: a full page as it is stored; any other page is made now.
 * @throws DomainError invalid_request, naming the cursor, for an index after the end of the log.
 */
export const getChangePage = async (
  deps: Pick<Deps, "db" | "config">,
  { format, from, limit }: { format: ChangeFormat; from: number; limit: number },
): Promise<ChangePage> => {
  const as = { format, discoveryUrl: deps.config.discoveryUrl };
  const isFull = limit === fullPage && from % fullPage === 0;
  const stored = isFull ? await findChangePage(deps.db.sql, { rendering: renderingOf(as), first: from }) : null;
  if (stored) return stored;
  const page = await listChanges(deps, { from, limit: pageLength(from, limit) });
  if (page.changes.length === 0) await refuseAfterEnd(deps, from);
  return renderPage(as, { from, ...page });
};

/** The cursor is from a log that a restore or a reset ended. With an empty page, its reader would miss changes. */
const refuseAfterEnd = async ({ db }: Pick<Deps, "db">, from: number): Promise<void> => {
  const size = await findLogSize(db.sql);
  if (from > size)
    throw fieldRefusal("#cursor", `must be at most ${size}, the number of changes. Start without a cursor`);
};
