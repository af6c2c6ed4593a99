import { collectDueInvoices } from "../../billing/collection/collect-due-invoices.ts";
import type { Tick } from "../job.ts";

const batchSize = 50;
/** Each lane mostly waits for the processor. */
const lanes = 4;

/** Pays open invoices, and takes the steps of dunning for unpaid ones (docs/spec/billing.md, Collection). */
export const collectInvoicesTick: Tick = {
  name: "collect-invoices",
  intervalMilliseconds: 5_000,
  async isDue({ collectionDueAt }, { businessClock }) {
    if (collectionDueAt === null) return false;
    const until = await businessClock.dueUntil();
    return until !== null && collectionDueAt <= until;
  },
  async run(deps) {
    const results = await Promise.allSettled(
      Array.from({ length: lanes }, () => collectDueInvoices(deps, { limit: batchSize })),
    );
    const failed = results.find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
    const done = results.map((result) => (result.status === "fulfilled" ? result.value : 0));
    return { done: done.reduce((sum, one) => sum + one, 0), hasMore: done.some((one) => one === batchSize) };
  },
};
