import { lookupDelaySeconds } from "../../charges/reconcile/lookup-schedule.ts";
import {
  type CollectionRow,
  lockCollection,
  postponeCollection,
  updateCollection,
} from "../../data/billing/collection/collections.ts";
import {
  type BillingPaymentRow,
  type PaymentSettlement,
  recordPaymentLookup,
  settleBillingPayment,
} from "../../data/billing/collection/payments.ts";
import { settleLedgerTransaction } from "../../data/billing/ledger/transactions.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import type { LookupOutcome } from "../../deps/processor-port.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { getLockedInvoice } from "../invoices/get-locked-invoice.ts";
import { type InvoiceActor, recordInvoice } from "../invoices/record-invoice.ts";
import { applyPayment } from "../invoices/transitions/apply-payment.ts";
import { nextDunningStep, nextRetryAt } from "../rules/collection/dunning.ts";
import { choosePaymentMethod } from "./choose-payment-method.ts";
import { lockStanding, refreshBillingStanding } from "./refresh-billing-standing.ts";
import { remindManagers } from "./remind-managers.ts";

type Outcome = "paid" | "declined" | "not_submitted";
export type PaymentResult = { outcome: Outcome | "unknown"; paymentId: string };

/** Real time until the next attempt, if the processor couldn't be reached. */
const notSubmittedRetrySeconds = 60;

/** Runs in the transaction of the first settlement, for example to record who decided it. */
export type Also = { also?: ((sql: Sql, at: Date, outcome: Outcome) => Promise<void>) | undefined };
type Input = InvoiceActor & Also & { payment: BillingPaymentRow; found: LookupOutcome };
type Settling = InvoiceActor & Also & { payment: BillingPaymentRow; settlement: PaymentSettlement };

/**
 * Settles an attempt with the processor's answer, in one transaction: the ledger, the invoice, the events and the next
 * step of dunning. Later settlements change nothing. If the outcome isn't known, the attempt stays unresolved and is
 * looked up later.
 */
export const settlePayment = async (deps: Deps, { payment, found, ...by }: Input): Promise<PaymentResult> => {
  const settlement = toSettlement(found, await deps.businessClock.now());
  if (!settlement) return leaveUnresolved(deps, payment, found);
  const isFirst = await deps.db.sqlTransaction((sql) => settle(deps, sql, { payment, settlement, ...by }));
  if (!isFirst) deps.log.warn({ paymentId: payment.id, found }, "the billing payment was already settled");
  return { outcome: outcomeOf(settlement), paymentId: payment.id };
};

const outcomeOf = ({ state }: PaymentSettlement): Outcome => (state === "succeeded" ? "paid" : state);

const toSettlement = (found: LookupOutcome, at: Date): PaymentSettlement | null => {
  switch (found.kind) {
    case "succeeded":
    case "captured":
      return { state: "succeeded", processorRef: found.processorRef, at };
    case "declined": {
      const { processorRef, declineCode, retryable: isRetryable } = found;
      return { state: "declined", processorRef, declineCode, isRetryable, at };
    }
    case "voided":
      return { state: "declined", processorRef: found.processorRef, declineCode: "canceled", isRetryable: true, at };
    case "not_sent":
      return { state: "not_submitted", processorRef: null, at };
    default:
      return null;
  }
};

const leaveUnresolved = async (
  deps: Deps,
  payment: BillingPaymentRow,
  found: LookupOutcome,
): Promise<PaymentResult> => {
  if (found.kind === "mismatch")
    deps.log.error({ paymentId: payment.id, found }, "the processor reports a different amount for a billing payment");
  const { invoiceId } = payment;
  const retryAt = addSeconds(deps.clock.now(), lookupDelaySeconds(payment.lookups));
  const processorRef = "processorRef" in found ? found.processorRef : null;
  await deps.db.sqlTransaction(async (sql) => {
    await recordPaymentLookup(sql, payment.id, { notFoundAt: null, processorRef });
    await postponeCollection(sql, { invoiceId, retryAt });
  });
  return { outcome: "unknown", paymentId: payment.id };
};

const settle = async (deps: Deps, sql: Sql, settling: Settling): Promise<boolean> => {
  const { payment, settlement, actor, requestId } = settling;
  const { invoiceId, merchantId } = payment;
  const { at } = settlement;
  await lockStanding(sql, merchantId);
  const invoice = await getLockedInvoice(sql, { invoiceId });
  if (!(await settleBillingPayment(sql, payment.id, settlement))) return false;
  await settling.also?.(sql, at, outcomeOf(settlement));
  if (settlement.state === "succeeded") {
    const paid = { invoiceId, paymentId: payment.id, amountMinor: payment.amount, at, actor, requestId };
    await applyPayment(sql, paid);
  } else {
    const source = { type: "payment", id: payment.id } as const;
    await settleLedgerTransaction(sql, { kind: "payment", source, state: "voided", at });
  }
  const collection = await lockCollection(sql, invoiceId);
  if (!collection) return true;
  if (settlement.state === "declined" && invoice.status === "open") {
    await recordDecline(deps, sql, { ...settling, collection, invoiceDueAt: invoice.dueAt ?? at });
  } else if (settlement.state === "not_submitted") {
    const retryAt = addSeconds(deps.clock.now(), notSubmittedRetrySeconds);
    await postponeCollection(sql, { invoiceId, retryAt });
  } else {
    await updateCollection(sql, { ...collection, dueAt: null, attemptAt: null });
  }
  await refreshBillingStanding(sql, { merchantId, at, actor, requestId });
  return true;
};

const isReplaced = async (deps: Deps, sql: Sql, payment: BillingPaymentRow): Promise<boolean> => {
  const method = await choosePaymentMethod(deps, sql, payment);
  if (typeof method === "string") return false;
  return method.processor !== payment.processor || method.processorRef !== payment.paymentMethodRef;
};

type Decline = Settling & { collection: CollectionRow; invoiceDueAt: Date };

const recordDecline = async (deps: Deps, sql: Sql, decline: Decline): Promise<void> => {
  const { payment, settlement, collection, invoiceDueAt, actor, requestId } = decline;
  const { at, isRetryable = false, declineCode = null } = settlement;
  const firstFailedAt = collection.firstFailedAt ?? at;
  // The merchant may have set another card while the outcome was unknown. It is charged immediately.
  const attemptAt = (await isReplaced(deps, sql, payment))
    ? at
    : nextRetryAt(firstFailedAt, { failedAt: at, isRetryable });
  const failed = { ...collection, failures: collection.failures + 1, firstFailedAt, attemptAt, hold: null };
  const next = nextDunningStep({ ...failed, invoiceDueAt });
  await updateCollection(sql, { ...failed, dueAt: next?.at ?? null });
  await recordInvoice(sql, {
    invoiceId: payment.invoiceId,
    events: ["invoice.payment_failed"],
    action: "invoice.payment_failed",
    data: { payment_id: payment.id, decline_code: declineCode, next_attempt_at: attemptAt?.toISOString() ?? null },
    actor,
    requestId,
    at,
  });
  const { invoiceId } = payment;
  await remindManagers(deps, sql, { invoiceId, collection: failed, invoiceDueAt, cause: "declined", requestId });
};
