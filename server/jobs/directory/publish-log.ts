import { publishLog } from "../../directory/log/publish-log.ts";
import type { Tick } from "../job.ts";

/** A change is in a published checkpoint within 5 s (docs/spec/directory.md, Transparency log). */
export const publishLogTick: Tick = {
  name: "publish-directory-log",
  intervalMilliseconds: 1_000,
  isDue: ({ directoryLog }) => directoryLog,
  async run(deps) {
    const { published, hasMore } = await publishLog(deps);
    return { done: published, hasMore };
  },
};
