import { publishStatusLists } from "../../credentials/status-lists/publish-status-lists.ts";
import type { Tick } from "../job.ts";

/**
 * A bit is published at most 5 s after a click on Revoke (docs/spec/payments.md, Status lists). This takes one second
 * here and one second in the node that serves the list.
 */
export const publishStatusListsTick: Tick = {
  name: "publish-status-lists",
  intervalMilliseconds: 500,
  run: async (deps) => ({ done: await publishStatusLists(deps), hasMore: false }),
};
