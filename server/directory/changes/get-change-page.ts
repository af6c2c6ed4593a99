import { type ChangePage, findChangePage } from "../../data/directory/log/change-pages.ts";
import type { Deps } from "../../deps/deps.ts";
import { type ChangeFormat, fullPage, pageLength, renderingOf, renderPage } from "./change-page.ts";
import { listChanges } from "./list-changes.ts";

/** A page of the changes: a full page as it is stored; any other page is made now. */
export const getChangePage = async (
  deps: Pick<Deps, "db" | "config">,
  { format, from, limit }: { format: ChangeFormat; from: number; limit: number },
): Promise<ChangePage> => {
  const as = { format, discoveryUrl: deps.config.discoveryUrl };
  const isFull = limit === fullPage && from % fullPage === 0;
  const stored = isFull ? await findChangePage(deps.db.sql, { rendering: renderingOf(as), first: from }) : null;
  return stored ?? renderPage(as, { from, ...(await listChanges(deps, { from, limit: pageLength(from, limit) })) });
};
