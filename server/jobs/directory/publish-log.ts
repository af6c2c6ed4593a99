import { storeChangePages } from "../../directory/changes/store-change-pages.ts";
import { compressBundles } from "../../directory/log/compress-bundles.ts";
import { publishLog } from "../../directory/log/publish-log.ts";
import type { Tick } from "../job.ts";

/**
 * A change is in a published checkpoint within 5 s (docs/spec/directory.md, Transparency log). After publication, full
 * bundles and pages are stored, because they never change again.
 */
export const publishLogTick: Tick = {
  name: "publish-directory-log",
  intervalMilliseconds: 1_000,
  isDue: ({ directoryLog }) => directoryLog,
  async run(deps) {
    const { published, hasMore } = await publishLog(deps);
    if (hasMore) return { done: published, hasMore };
    const bundles = await compressBundles(deps);
    const pages = await storeChangePages(deps);
    return { done: published + bundles.stored + pages.stored, hasMore: bundles.hasMore || pages.hasMore };
  },
};
