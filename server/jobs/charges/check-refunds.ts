import { checkGivenRefunds } from "../../charges/refunds/check-given-refunds.ts";
import type { Tick } from "../job.ts";

const batchSize = 8;

export const checkRefundsTick: Tick = {
  name: "check-refunds",
  intervalMilliseconds: 60_000,
  async run(deps) {
    const done = await checkGivenRefunds(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
