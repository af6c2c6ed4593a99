import { settleDueCardSetups } from "../../accounts/payment-methods/settle-card-setup.ts";
import type { Tick } from "../job.ts";

const batchSize = 8;

export const settleCardSetupsTick: Tick = {
  name: "settle-card-setups",
  intervalMilliseconds: 30_000,
  async run(deps) {
    const done = await settleDueCardSetups(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
