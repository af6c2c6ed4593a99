import { billDuePeriods } from "../../billing/subscriptions/run/bill-due-periods.ts";
import { isBusinessDue } from "../business-due.ts";
import type { Tick } from "../job.ts";
import { runInLanes } from "../run-in-lanes.ts";

const batchSize = 100;
/** Each step mostly waits for the database. */
const lanes = 4;

/** Closes billing periods that have ended, and finalizes their invoices (docs/spec/billing.md, The billing run). */
export const billPeriodsTick: Tick = {
  name: "bill-periods",
  intervalMilliseconds: 5_000,
  isDue: ({ billingDueAt }, deps) => isBusinessDue(billingDueAt, deps),
  run: (deps) => runInLanes({ lanes, batchSize }, (batch) => billDuePeriods(deps, batch)),
};
