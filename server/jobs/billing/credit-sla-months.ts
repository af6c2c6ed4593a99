import { creditDueMonths } from "../../billing/sla/credit-due-months.ts";
import { isBusinessDue } from "../business-due.ts";
import type { Tick } from "../job.ts";
import { runInLanes } from "../run-in-lanes.ts";

const batchSize = 50;
/** Each lane mostly waits for the database. */
const lanes = 4;

/** Computes the SLA credits of a month on the third day of the next month (docs/spec/billing.md, SLA credits). */
export const creditSlaMonthsTick: Tick = {
  name: "credit-sla-months",
  intervalMilliseconds: 60_000,
  isDue: ({ slaDueAt }, deps) => isBusinessDue(slaDueAt, deps),
  run: (deps) => runInLanes({ lanes, batchSize }, (batch) => creditDueMonths(deps, batch)),
};
