import { publishStatusLists } from "../../credentials/status-lists/publish-status-lists.ts";
import type { Tick } from "../job.ts";

/**
 * From a click on Revoke to the published bit at most 5 s (docs/spec/payments.md, Status lists): a second here, a
 * second in each reader's node.
 */
export const publishStatusListsTick: Tick = {
  name: "publish-status-lists",
  intervalMilliseconds: 500,
  run: async (deps) => ({ done: await publishStatusLists(deps), hasMore: false }),
};
