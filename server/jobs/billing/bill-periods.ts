import { billDuePeriods } from "../../billing/subscriptions/run/bill-due-periods.ts";
import type { Tick } from "../job.ts";

const batchSize = 100;
/** Each step mostly waits for the database. */
const lanes = 4;

/** Closes billing periods that have ended, and finalises their invoices (docs/spec/billing.md, The billing run). */
export const billPeriodsTick: Tick = {
  name: "bill-periods",
  intervalMilliseconds: 5_000,
  async isDue({ billingDueAt }, { businessClock }) {
    if (billingDueAt === null) return false;
    const until = await businessClock.dueUntil();
    return until !== null && billingDueAt <= until;
  },
  async run(deps) {
    const results = await Promise.allSettled(
      Array.from({ length: lanes }, () => billDuePeriods(deps, { limit: batchSize })),
    );
    const failed = results.find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
    const done = results.map((result) => (result.status === "fulfilled" ? result.value : 0));
    return { done: done.reduce((sum, one) => sum + one, 0), hasMore: done.some((one) => one === batchSize) };
  },
};
