import type { Sql } from "../../data/client.ts";
import { deleteOtherChangePages, findLastChangePage, insertChangePage } from "../../data/directory/log/change-pages.ts";
import { findLogSize } from "../../data/directory/log/log.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { type ChangeFormat, changeFormats, fullPage, renderingOf, renderPage } from "./change-page.ts";
import { listChanges } from "./list-changes.ts";

/** During an upgrade, processes of both versions store their pages. */
const keepSeconds = 24 * 3600;

type StoreDeps = Pick<Deps, "db" | "clock" | "config">;

/**
 * Stores the full pages of changes, in order, at most `pages` of each format per call. A page is stored only when a later
 * change exists. After that, no part of the page can differ, not even `has_more`. Any number of processes may call it
 * concurrently.
 */
export const storeChangePages = async (
  deps: StoreDeps,
  { pages = 10 }: { pages?: number } = {},
): Promise<{ stored: number; hasMore: boolean }> => {
  const { discoveryUrl } = deps.config;
  let [stored, hasMore] = [0, false];
  for (const format of changeFormats) {
    const count = await storePagesOf(deps, { format, discoveryUrl, pages });
    stored += count;
    hasMore ||= count === pages;
  }
  if (stored > 0) await deleteEarlierRenderings(deps);
  return { stored, hasMore };
};

const storePagesOf = async (
  deps: StoreDeps,
  { pages, ...as }: { format: ChangeFormat; discoveryUrl: string; pages: number },
): Promise<number> => {
  const rendering = renderingOf(as);
  const storeNext = () => deps.db.sqlTransaction((sql) => storeNextPage(sql, { as, rendering, at: deps.clock.now() }));
  let stored = 0;
  while (stored < pages && (await storeNext())) stored += 1;
  return stored;
};

/**
 * Must run in a transaction. The transaction makes a reset of the sandbox wait, so that no page of the old log is
 * stored after the reset. To avoid a deadlock, the tables are read in the order in which the reset locks them:
 * first the pages, then the log.
 * @returns false if the next page isn't full yet, or no change follows it.
 */
const storeNextPage = async (
  sql: Sql,
  { as, rendering, at }: { as: { format: ChangeFormat; discoveryUrl: string }; rendering: string; at: Date },
): Promise<boolean> => {
  const last = await findLastChangePage(sql, rendering);
  const first = last === null ? 0 : last + fullPage;
  if ((await findLogSize(sql)) <= first + fullPage) return false;
  const page = await listChanges({ db: { sql } }, { from: first, limit: fullPage });
  await insertChangePage(sql, { rendering, first, at, ...renderPage(as, { from: first, ...page }) });
  return true;
};

const deleteEarlierRenderings = async ({ db, clock, config }: StoreDeps): Promise<void> => {
  const renderings = changeFormats.map((format) => renderingOf({ format, discoveryUrl: config.discoveryUrl }));
  await deleteOtherChangePages(db.sql, { renderings, before: addSeconds(clock.now(), -keepSeconds) });
};
