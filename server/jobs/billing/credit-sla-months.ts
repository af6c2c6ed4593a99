import { creditDueMonths } from "../../billing/sla/credit-due-months.ts";
import type { Tick } from "../job.ts";

const batchSize = 50;
/** Each lane mostly waits for the database. */
const lanes = 4;

/** Computes the SLA credits of the last month, on the third day of the next one (docs/spec/billing.md, SLA credits). */
export const creditSlaMonthsTick: Tick = {
  name: "credit-sla-months",
  intervalMilliseconds: 60_000,
  async isDue({ slaDueAt }, { businessClock }) {
    if (slaDueAt === null) return false;
    const until = await businessClock.dueUntil();
    return until !== null && slaDueAt <= until;
  },
  async run(deps) {
    const results = await Promise.allSettled(
      Array.from({ length: lanes }, () => creditDueMonths(deps, { limit: batchSize })),
    );
    const failed = results.find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
    const done = results.map((result) => (result.status === "fulfilled" ? result.value : 0));
    return { done: done.reduce((sum, one) => sum + one, 0), hasMore: done.some((one) => one === batchSize) };
  },
};
