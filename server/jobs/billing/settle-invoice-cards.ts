import { settleDueInvoiceCards } from "../../billing/collection/cards/settle-invoice-card.ts";
import type { Tick } from "../job.ts";

const batchSize = 8;

export const settleInvoiceCardsTick: Tick = {
  name: "settle-invoice-cards",
  intervalMilliseconds: 30_000,
  async run(deps) {
    const done = await settleDueInvoiceCards(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
