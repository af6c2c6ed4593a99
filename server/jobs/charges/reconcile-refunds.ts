import { reconcileDueRefunds } from "../../charges/refunds/perform-refund.ts";
import type { Tick } from "../job.ts";

const batchSize = 8;

export const reconcileRefundsTick: Tick = {
  name: "reconcile-refunds",
  intervalMilliseconds: 1_000,
  isDue: ({ refunds }) => refunds,
  async run(deps) {
    const done = await reconcileDueRefunds(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
