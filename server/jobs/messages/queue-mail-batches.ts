import { mailMandateBatch } from "../../mandates/notices/mail-mandate-batch.ts";
import { queueMailBatch } from "../../platform/mail/queue-mail-batch.ts";
import type { Tick } from "../job.ts";

/** Queues the e-mails about changes with many recipients. A run queues one batch of each kind. */
export const queueMailBatchesTick: Tick = {
  name: "queue-mail-batches",
  intervalMilliseconds: 1_000,
  isDue: ({ mailBatches }) => mailBatches,
  async run(deps) {
    const done = [await queueMailBatch(deps), await mailMandateBatch(deps)].filter(Boolean).length;
    return { done, hasMore: done > 0 };
  },
};
