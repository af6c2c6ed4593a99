import { reconcileDueDisputes } from "../../charges/disputes/look-up-dispute.ts";
import type { Tick } from "../job.ts";

const batchSize = 8;

export const reconcileDisputesTick: Tick = {
  name: "reconcile-disputes",
  intervalMilliseconds: 60_000,
  async run(deps) {
    const done = await reconcileDueDisputes(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
