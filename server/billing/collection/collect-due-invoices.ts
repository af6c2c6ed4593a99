import {
  type CollectionRow,
  claimDueCollection,
  postponeCollection,
} from "../../data/billing/collection/collections.ts";
import { findUnresolvedPayment } from "../../data/billing/collection/payments.ts";
import { isUnavailable } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { billingRun } from "../subscriptions/record-subscription.ts";
import { lookUpInvoicePayment } from "./look-up-invoice-payment.ts";
import { payInvoice } from "./pay-invoice.ts";
import { takeDunningStep } from "./take-dunning-step.ts";

/**
 * Longer than the longest call to the processor. After this time, another worker takes over the work of a killed
 * worker.
 */
const leaseSeconds = 30;
const errorRetrySeconds = 300;

/**
 * Does the next step of invoices whose collection is due: pays them, looks up unresolved payments, and takes the steps
 * of dunning (docs/spec/billing.md, Collection). Any number of workers share the work.
 * @returns how many steps were done; call again while it equals `limit`.
 */
export const collectDueInvoices = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const until = await deps.businessClock.dueUntil();
  if (until === null) return 0;
  let done = 0;
  while (done < limit && (await collectNext(deps, until))) done += 1;
  return done;
};

const collectNext = async (deps: Deps, until: Date): Promise<boolean> => {
  const realNow = deps.clock.now();
  const leaseUntil = addSeconds(realNow, leaseSeconds);
  const claimed = await claimDueCollection(deps.db.sql, { until, realNow, leaseUntil });
  if (!claimed) return false;
  try {
    await collect(deps, claimed);
  } catch (error) {
    if (error instanceof Error && isUnavailable(error)) throw error;
    // Other invoices aren't affected. This one is tried again later.
    const { invoiceId } = claimed;
    deps.log.error({ err: error, invoiceId }, "the collection of an invoice failed");
    const retryAt = addSeconds(deps.clock.now(), errorRetrySeconds);
    await postponeCollection(deps.db.sql, { invoiceId, retryAt, hold: "error" });
  }
  return true;
};

const collect = async (deps: Deps, { invoiceId, merchantId }: CollectionRow): Promise<void> => {
  const payment = await findUnresolvedPayment(deps.db.sql, invoiceId);
  if (payment) {
    await lookUpInvoicePayment(deps, { payment, ...billingRun });
    return;
  }
  const step = await takeDunningStep(deps, { invoiceId, merchantId, ...billingRun });
  if (step === "pay") await payInvoice(deps, { invoiceId, isScheduled: true, ...billingRun });
};
