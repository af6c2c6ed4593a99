import { collectDueInvoices } from "../../billing/collection/collect-due-invoices.ts";
import { isBusinessDue } from "../business-due.ts";
import type { Tick } from "../job.ts";
import { runInLanes } from "../run-in-lanes.ts";

const batchSize = 50;
/** Each lane mostly waits for the processor. */
const lanes = 4;

/** Pays open invoices, and takes the steps of dunning for unpaid ones (docs/spec/billing.md, Collection). */
export const collectInvoicesTick: Tick = {
  name: "collect-invoices",
  intervalMilliseconds: 5_000,
  isDue: ({ collectionDueAt }, deps) => isBusinessDue(collectionDueAt, deps),
  run: (deps) => runInLanes({ lanes, batchSize }, (batch) => collectDueInvoices(deps, batch)),
};
