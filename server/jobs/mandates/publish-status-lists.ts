import { publishStatusLists } from "../../credentials/status-lists/publish-status-lists.ts";
import type { Tick } from "../job.ts";

/**
 * At most 5 s from a click on Revoke to the published bit (docs/spec/payments.md, Status lists): one second here, one
 * second in the node that serves the list.
 */
export const publishStatusListsTick: Tick = {
  name: "publish-status-lists",
  intervalMilliseconds: 500,
  run: async (deps) => ({ done: await publishStatusLists(deps), hasMore: false }),
};
